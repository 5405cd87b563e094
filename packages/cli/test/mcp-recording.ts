import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** A message of the protocol, of either side. */
export type Message = Readonly<Record<string, unknown>>;

/** One line of a recorded session. What a client writes may be anything, also what is no message. */
export type RecordedLine =
  | { readonly from: "client"; readonly line: string }
  | { readonly from: "server"; readonly message: unknown };

/**
 * Plays a client's lines to a server, each when everything before it is answered, and records what both said. Progress is
 * left out: how often it is told depends on the machine.
 */
export async function play(server: ChildProcess, lines: readonly string[]): Promise<RecordedLine[]> {
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error("the server has no pipes");
  const said = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const recorded: RecordedLine[] = [];
  for (const line of lines) {
    recorded.push({ from: "client", line });
    stdin.write(`${line}\n`);
    for (const id = idOf(line); id !== undefined; ) {
      const { value, done } = await said.next();
      if (done === true) throw new Error(`the server ended instead of answering ${line}`);
      const message = JSON.parse(value) as Message;
      if (message.method === "notifications/progress") continue;
      recorded.push({ from: "server", message: settled(message) });
      if (message.id === id) break;
    }
  }
  return recorded;
}

/** The id that the answer to a line has; undefined where there is none. */
function idOf(line: string): unknown {
  try {
    return (JSON.parse(line) as Message).id;
  } catch {
    return undefined;
  }
}

/** What is different each time (times, and the version of this package) is replaced by a word for it. */
function settled(value: unknown, name = ""): unknown {
  if (["ms", "tookMs", "startedAt"].includes(name)) return `<${name}>`;
  if (typeof value === "string") {
    if (name === "text" && value.startsWith("{")) return JSON.stringify(settled(JSON.parse(value)));
    if (name === "version") return "<version>";
    return value.replace(/ in [\d.]+ m?s$/, " in <time>").replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "<when>");
  }
  if (Array.isArray(value)) return value.map((item) => settled(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, settled(part, key)]));
}
