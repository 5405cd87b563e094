import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { CallMessage, ReplyMessage } from "./module-host.ts";
import type { ModuleCall, ModuleHook, ModuleReply } from "./protocol.ts";

// Holds one module hook warm. A thread of its own, so that a hook that hangs or exits takes nobody along.

const path = String(workerData);
const loaded: Promise<ModuleHook> = import(pathToFileURL(path).href).then((module: { default?: unknown }) => {
  if (typeof module.default !== "function") throw new Error(`${path} has no default export that is a function`);
  return module.default as ModuleHook;
});
loaded.catch(() => {});

parentPort?.on("message", ({ id, call }: CallMessage) => {
  void answer(call).then((reply) => parentPort?.postMessage({ id, reply } satisfies ReplyMessage));
});

async function answer({ input, cwd, projectDir, env }: ModuleCall): Promise<ModuleReply> {
  try {
    const hook = await loaded;
    const said = await hook(JSON.parse(input), { cwd, projectDir, env });
    const stdout = said === undefined || said === null ? "" : typeof said === "string" ? said : JSON.stringify(said);
    return { code: 0, stdout, stderr: "" };
  } catch (error) {
    const code = (error as { exitCode?: unknown }).exitCode === 2 ? 2 : 1;
    return { code, stdout: "", stderr: error instanceof Error ? error.message : String(error) };
  }
}
