import { isAbsolute, join } from "node:path";
import type { ChildRun } from "@coppice/engine/child-process";
import type { HookSurroundings } from "../run/carry-process.ts";
import type { Carrier } from "../run/run-event.ts";
import type { ModuleCaller } from "./client.ts";
import type { ModuleHost } from "./module-host.ts";
import type { ModuleResult } from "./protocol.ts";

/** Carries out module hooks: in the daemon when it is there, in a host that is already warm, else in one of its own. */
export function moduleCarrier(
  surroundings: HookSurroundings,
  daemon: ModuleCaller | undefined,
  warm: ModuleHost | undefined,
): { carry: Carrier; close: () => Promise<void> } {
  let own: Promise<ModuleHost> | undefined;
  const host = async (): Promise<ModuleHost> => {
    if (warm !== undefined) return warm;
    own ??= import("./module-host.ts").then((module) => new module.ModuleHost());
    return await own;
  };
  const carry: Carrier = async ({ module = "", timeoutMs }, input, signal) => {
    const path = isAbsolute(module) ? module : join(surroundings.projectDir, module);
    const call = { ...surroundings, input: Buffer.from(input).toString("utf8") };
    const result = await daemon?.callModule(path, call, timeoutMs, signal);
    return asChildRun(result ?? (await (await host()).call(path, call, timeoutMs, signal)), timeoutMs);
  };
  return { carry, close: async () => await (await own)?.close() };
}

/** A module's result in the terms of a process, so that everything after it is the same. */
function asChildRun(result: ModuleResult, timeoutMs: number): ChildRun {
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
