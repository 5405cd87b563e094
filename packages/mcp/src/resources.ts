import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findRun, runIds } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpError, type ReadResourceResult, type Resource } from "@modelcontextprotocol/sdk/types.js";
import type { AnswerBook } from "./answer-book.ts";

/** What the protocol calls a resource that is not there; its SDK has no name for the number. */
const RESOURCE_NOT_FOUND = -32002;
/** What one reading returns; the next part has an address of its own. */
const PART_BYTES = 64 * 1024;
/** Runs whose resources are listed; all others can be read as well. */
const MOST_LISTED = 20;

/** The address of a file of a run, or of its whole answer (`answer`). */
export function runUri(run: string, file: string): string {
  return `coppice://runs/${encodeURIComponent(run)}/${file.split("/").map(encodeURIComponent).join("/")}`;
}

/** Runs as resources: the whole answer of each, and every file in its directory, in parts. */
export function offerResources(server: McpServer, runs: string, answers: AnswerBook): void {
  const template = new ResourceTemplate("coppice://runs/{run}/{+file}", { list: () => ({ resources: listed(runs) }) });
  const about = {
    title: "a file of a run",
    description: "`answer`, or a file of the run's directory; ?offset= reads on from there",
  };
  const read = (uri: URL): ReadResourceResult => {
    const [run = "", ...parts] = uri.pathname.split("/").slice(1).map(decodeURIComponent);
    const file = parts.join("/");
    const from = uri.searchParams.get("offset") ?? "0";
    if (!/^\d{1,15}$/.test(from)) throw new UsageError(`offset ${JSON.stringify(from)}: it must be a number of bytes`);
    if (!runIds(runs).includes(run))
      throw new UsageError(`there is no run ${JSON.stringify(run)} (coppice://runs/<run>/answer)`);
    const directory = findRun(run, runs);
    const { bytes, size } =
      file === "answer"
        ? answerPart(answers.of(run, directory), run, Number(from))
        : filePart(directory, file, Number(from));
    return contents(uri, runUri(run, file), bytes, Number(from), size);
  };
  server.registerResource("run", template, about, (uri) => {
    try {
      return read(uri);
    } catch (error) {
      // Otherwise it would be called an internal error of the server.
      throw error instanceof UsageError ? new McpError(RESOURCE_NOT_FOUND, error.message) : error;
    }
  });
}

function listed(runs: string): Resource[] {
  return runIds(runs)
    .slice(-MOST_LISTED)
    .reverse()
    .map((run) => {
      const ended = existsSync(join(runs, run, "result.json"));
      const file = ended ? "answer" : "run.json";
      return { uri: runUri(run, file), name: `run ${run}: ${file}`, mimeType: "application/json" };
    });
}

interface Part {
  readonly bytes: Buffer;
  readonly size: number;
}

function answerPart(answer: unknown, run: string, from: number): Part {
  if (answer === undefined) throw new UsageError(`run ${run} has no answer yet`);
  const whole = Buffer.from(`${JSON.stringify(answer, null, 2)}\n`);
  return { bytes: whole.subarray(from, from + PART_BYTES), size: whole.length };
}

/** Only regular files inside the run's own directory, whatever links lie there. */
function filePart(directory: string, file: string, from: number): Part {
  const home = realpathSync(directory);
  const path = existsSync(join(home, file)) ? realpathSync(join(home, file)) : undefined;
  const inside = path === undefined ? ".." : relative(home, path);
  if (path === undefined || inside === "" || inside.split(sep)[0] === ".." || file.includes("\0")) {
    const known = readdirSync(home).sort().join(", ");
    throw new UsageError(
      `run ${relative(join(directory, ".."), directory)} has no file ${JSON.stringify(file)}; it has answer, ${known}`,
    );
  }
  const descriptor = openSync(path, "r");
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) throw new UsageError(`${file} is a folder: ${readdirSync(path).sort().join(", ")}`);
    const bytes = Buffer.alloc(Math.max(0, Math.min(PART_BYTES, facts.size - from)));
    return { bytes: bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)), size: facts.size };
  } finally {
    closeSync(descriptor);
  }
}

/** The part as text, cut where a character ends, and where the rest begins. */
function contents(uri: URL, base: string, bytes: Buffer, from: number, size: number): ReadResourceResult {
  let length = bytes.length;
  if (from + length < size)
    do length--;
    while (length > bytes.length - 4 && (bytes[length] & 0xc0) === 0x80);
  const next = from + length;
  // A part of a document is none.
  const mimeType = from === 0 && next >= size && /\/answer$|\.json$/.test(base) ? "application/json" : "text/plain";
  const part = { uri: uri.href, mimeType, text: bytes.subarray(0, length).toString("utf8") };
  if (next >= size) return { contents: [part] };
  const rest = `${base}?offset=${next}`;
  return {
    contents: [
      part,
      { uri: rest, mimeType: "text/plain", text: `read ${rest} for more: ${size - next} of ${size} bytes are left` },
    ],
  };
}
