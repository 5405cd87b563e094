import { isAbsolute, join } from "node:path";
import type { ChildRun } from "@coppice/engine/child-process";
import type { HookSurroundings } from "../run/carry-process.ts";
import type { Carrier } from "../run/run-event.ts";
import type { DaemonClient } from "./client.ts";
import type { ModuleHost, ModuleResult } from "./module-host.ts";

/** Carries out module hooks: in the daemon when it is there, else in a thread of this process. */
export function moduleCarrier(
  surroundings: HookSurroundings,
  daemon: DaemonClient | undefined,
): { carry: Carrier; close: () => Promise<void> } {
  let host: Promise<ModuleHost> | undefined;
  const carry: Carrier = async (hook, input, signal) => {
    const path = modulePath(hook.module ?? "", surroundings.projectDir);
    const call = { ...surroundings, input: Buffer.from(input).toString("utf8") };
    const warm = await daemon?.callModule(path, call, hook.timeoutMs, signal);
    if (warm !== undefined) return asHookRun(warm, hook.timeoutMs);
    host ??= import("./module-host.ts").then((module) => new module.ModuleHost());
    return asHookRun(await (await host).call(path, call, hook.timeoutMs, signal), hook.timeoutMs);
  };
  const close = async (): Promise<void> => await (await host)?.close();
  return { carry, close };
}

/** Carries out module hooks in a host that is already there. */
export function hostCarrier(surroundings: HookSurroundings, host: ModuleHost): Carrier {
  return async (hook, input, signal) => {
    const path = modulePath(hook.module ?? "", surroundings.projectDir);
    const call = { ...surroundings, input: Buffer.from(input).toString("utf8") };
    return asHookRun(await host.call(path, call, hook.timeoutMs, signal), hook.timeoutMs);
  };
}

function modulePath(path: string, projectDir: string): string {
  return isAbsolute(path) ? path : join(projectDir, path);
}

/** A module's result in the terms of a process, so that everything after it is the same. */
function asHookRun(result: ModuleResult, timeoutMs: number): ChildRun {
  const output = (text: string) => {
    const bytes = Buffer.from(text);
    return { bytes, totalBytes: bytes.length };
  };
  if (result.kind === "replied") {
    const { code, stdout, stderr } = result.reply;
    return { ending: { kind: "exited", code }, stdout: output(stdout), stderr: output(stderr) };
  }
  const ending = result.kind === "timeout" ? { kind: "timeout" as const, timeoutMs } : result;
  return { ending, stdout: output(""), stderr: output("") };
}
