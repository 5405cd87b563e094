/** Sends what this worker prints to its pool, in order with its results; nothing reaches the user's terminal. */
export function captureOutput(print: (text: string) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
      print(
        chunk instanceof Uint8Array
          ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("utf8")
          : String(chunk),
      );
      const callback = typeof encoding === "function" ? encoding : done;
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    };
  }
}
