import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import type { Finding } from "./finding.ts";

/** What the engine wants of Node, each tried for real; the text is what is said when it does not work. */
const abilities: Readonly<Record<string, () => Promise<void>>> = {
  threads: async () => {
    const [code] = await once(new Worker("", { eval: true, stdout: true, stderr: true }), "exit");
    if (code !== 0) throw new Error(`a thread ended with ${code}`);
  },
  "child processes": async () => {
    await promisify(execFile)(process.execPath, ["-p", "1"], { timeout: 30_000, env: {} });
  },
  SQLite: async () => {
    const { DatabaseSync } = await import("node:sqlite");
    new DatabaseSync(":memory:").close();
  },
  "TypeScript modules": async () => {
    if (process.features.typescript === false) throw new Error("this Node does not strip types");
  },
};

/** Which Node runs this, where which versions are `wanted`, and whether what the engine needs of it works. */
export async function nodeFinding(wanted: string): Promise<Finding> {
  const { node: version } = process.versions;
  const path = process.execPath;
  const wrong: string[] = [];
  for (const [name, attempt] of Object.entries(abilities)) {
    await attempt().catch((error) => wrong.push(`${name}: ${error instanceof Error ? error.message : error}`));
  }
  const facts = { version, path, works: wrong.length === 0, wrong };
  if (wrong.length === 0) {
    const works = `${Object.keys(abilities).join(", ")} work`;
    return { name: "Node", state: "good", needed: true, says: `${version} at ${path}; ${works}`, facts };
  }
  return {
    name: "Node",
    state: "broken",
    needed: true,
    says: `${version} at ${path}; does not work: ${wrong.join("; ")}`,
    advice: `use Node ${wanted}, from nodejs.org or your system, without flags that take these away`,
    facts,
  };
}
