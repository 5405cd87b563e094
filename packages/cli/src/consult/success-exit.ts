import { exitCode } from "../exit-code.ts";

/** Done when enough of the requests were answered, failed otherwise. */
export function successExit(
  { ok, failed }: { readonly ok: number; readonly failed: number },
  minSuccess: number,
): number {
  return ok >= minSuccess * (ok + failed) ? exitCode.done : exitCode.failed;
}
