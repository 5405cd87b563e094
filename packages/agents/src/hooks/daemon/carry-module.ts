import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { HookSurroundings } from "../run/carry-process.ts";
import type { HookRun } from "../run/hook-process.ts";
import type { Carrier } from "../run/run-event.ts";
import type { DaemonClient } from "./client.ts";
import { meetingPlace, trustedToken } from "./meeting-place.ts";
import type { ModuleHost, ModuleResult } from "./module-host.ts";

/** Carries out module hooks: in the daemon when it is there, else in a thread of this process. */
export function moduleCarrier(
  surroundings: HookSurroundings,
  useDaemon: boolean,
): { carry: Carrier; close: () => Promise<void> } {
  let client: Promise<DaemonClient | undefined> | undefined;
  let host: Promise<ModuleHost> | undefined;
  const carry: Carrier = async (hook, input, signal) => {
    const path = modulePath(hook.module ?? "", surroundings.projectDir);
    const call = { ...surroundings, input: Buffer.from(input).toString("utf8") };
    client ??= useDaemon ? connectIfThere(surroundings.env) : Promise.resolve(undefined);
    const warm = await (await client)?.callModule(path, call, hook.timeoutMs, signal);
    if (warm !== undefined) return asHookRun(warm, hook.timeoutMs);
    host ??= import("./module-host.ts").then((module) => new module.ModuleHost());
    return asHookRun(await (await host).call(path, call, hook.timeoutMs, signal), hook.timeoutMs);
  };
  const close = async (): Promise<void> => {
    (await client)?.close();
    await (await host)?.close();
  };
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

async function connectIfThere(env: NodeJS.ProcessEnv): Promise<DaemonClient | undefined> {
  const place = meetingPlace(env);
  if (!existsSync(place.socket)) return undefined;
  const token = trustedToken(place);
  if (token === undefined) return undefined;
  const { DaemonClient } = await import("./client.ts");
  return await DaemonClient.open(place, token);
}

/** A module's result in the terms of a process, so that everything after it is the same. */
function asHookRun(result: ModuleResult, timeoutMs: number): HookRun {
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
