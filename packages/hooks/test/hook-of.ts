import type { Hook } from "../src/settings/hook.ts";

/** A hook with everything at its default, for tests that only look at a few fields. */
export function hookOf(name: string, fields: Partial<Hook> = {}): Hook {
  return {
    name,
    event: "UserPromptSubmit",
    matcher: "",
    command: `./${name}.sh`,
    args: undefined,
    module: undefined,
    timeoutMs: 5000,
    touches: undefined,
    traced: undefined,
    after: [],
    chain: false,
    background: false,
    onFailure: "pass",
    scope: "project",
    file: "settings.json",
    path: "",
    pluginRoot: undefined,
    ...fields,
  };
}

/** A hook that declares what it reads and writes. */
export function declared(
  name: string,
  reads: readonly string[],
  writes: readonly string[],
  after: readonly string[] = [],
) {
  return hookOf(name, { touches: { reads, writes }, after });
}
