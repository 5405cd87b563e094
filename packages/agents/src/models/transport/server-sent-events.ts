/** What ends a stream in the OpenAI protocol. */
const DONE = "[DONE]";

/** The JSON values of a stream of server-sent events, in order; comments and names of events are left out. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const data of dataIn(linesIn(body))) {
    if (data === DONE) return;
    yield JSON.parse(data);
  }
}

/** The data of each event: its `data:` lines together, up to the empty line that ends it. */
async function* dataIn(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
  }
  // A last event that was not ended: whoever sent it may have been cut off, so that it must be looked at.
  if (data.length > 0) yield data.join("\n");
}

/** Lines as they come, whatever ends them. */
async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    pieces.push(text);
    // A line may be very long: it is put together once, when its end has come.
    if (!/[\r\n]/.test(text)) continue;
    const lines = pieces.join("").split(/\r\n|\n|\r(?!$)/);
    pieces = [lines.pop() ?? ""];
    yield* lines;
  }
  yield* pieces.join("").split(/\r\n|\n|\r/);
}
