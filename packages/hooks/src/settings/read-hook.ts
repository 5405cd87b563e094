import { isSlip } from "@coppice/engine/files";
import type { Fields } from "../json-fields.ts";
import { isTracedContent } from "../trace/traced-content.ts";
import type { Declaration } from "./declarations.ts";
import type { Hook } from "./hook.ts";
import type { Entry } from "./hook-entries.ts";
import type { Problem } from "./settings-problem.ts";

/** What a wrong value of these costs: nothing that is said of what the hook touches is believed any more. */
const DECLARING = new Set(["reads", "writes", "after", "chain", "module", "traced"]);

/** A hook of the given name from its entry and what is declared of it; wrong fields are problems and cost only themselves. */
export function readHook(name: string, entry: Entry, declared: readonly Declaration[], problems: Problem[]): Hook {
  const { event, matcher, command, path, from } = entry;
  const fields: Fields = Object.assign({ ...entry.fields }, ...declared.map((declaration) => declaration.fields));
  const wrong = RULES.filter(([field, right]) => fields[field] !== undefined && !right(fields[field]));
  // A wrong limit or declaration must not cost the hook itself: it runs, alone and with defaults.
  for (const [field, , message] of wrong) {
    const text = `${message}; ${JSON.stringify(name)} ${consequenceFor(field)}`;
    const place = declared.findLast((declaration) => Object.hasOwn(declaration.fields, field)) ?? {
      file: from.file,
      path,
    };
    problems.push({ file: place.file, path: `${place.path}.${field}`, severity: "error", message: text });
  }
  // A misspelt one may have been what keeps the hook from running beside others.
  const unknown = declared.flatMap(({ file, path, fields }) =>
    Object.keys(fields)
      .filter((key) => !DECLARABLE.includes(key))
      .map((key) => ({ file, path: `${path}.${key}` })),
  );
  // An entry may also hold what only the agent knows.
  const misspelt = Object.keys(entry.fields).flatMap((key) => {
    const meant = meantKey(key);
    return meant === undefined ? [] : [{ key, meant }];
  });
  for (const { key, meant } of misspelt) {
    const message = `unknown; did you mean "${meant}"? ${JSON.stringify(name)} ${consequenceFor(meant)}`;
    problems.push({ file: from.file, path: `${path}.${key}`, severity: "error", message });
  }
  for (const place of unknown) {
    const message = `unknown; what can be declared is ${DECLARABLE.join(", ")}`;
    problems.push({ ...place, severity: "error", message });
  }
  const texts = (field: string): readonly string[] | undefined => {
    const value = fields[field];
    return isTexts(value) ? value : undefined;
  };
  const [reads, writes, timeout] = [texts("reads"), texts("writes"), fields.timeout];
  const silent = reads === undefined && writes === undefined;
  const doubted = [...wrong.map(([field]) => field), ...misspelt.map(({ meant }) => meant)];
  const unsaid = silent || unknown.length > 0 || doubted.some((field) => DECLARING.has(field));
  return {
    name,
    event,
    matcher,
    command,
    args: texts("args"),
    module: typeof fields.module === "string" ? fields.module : undefined,
    timeoutMs:
      typeof timeout === "number" && timeout > 0
        ? timeout * from.agent.timeoutUnitMs
        : from.agent.defaultTimeoutMs(event),
    touches: unsaid ? undefined : { reads: reads ?? [], writes: writes ?? [] },
    traced: isTracedContent(fields.traced) ? fields.traced : undefined,
    after: texts("after") ?? [],
    chain: fields.chain === true,
    background: fields.background === true || fields.async === true,
    onFailure: fields.onFailure === "block" ? "block" : "pass",
    scope: from.scope,
    file: from.file,
    path,
    pluginRoot: from.pluginRoot,
  };
}

const RULES: readonly (readonly [field: string, isRight: (value: unknown) => boolean, message: string])[] = [
  ["timeout", (value) => typeof value === "number" && value > 0, "must be a number above 0"],
  ["args", isTexts, "must be a list of texts"],
  ["reads", isTexts, 'must be a list of resources, as ["notes/*.md", "git:index"]'],
  ["writes", isTexts, 'must be a list of resources, as ["notes/*.md", "git:index"]'],
  ["after", isTexts, "must be a list of hook names"],
  ["module", (value) => typeof value === "string", "must be the path of a JavaScript or TypeScript file"],
  ["chain", (value) => typeof value === "boolean", "must be true or false"],
  ["background", (value) => typeof value === "boolean", "must be true or false"],
  ["onFailure", (value) => value === "pass" || value === "block", 'must be "pass" or "block"'],
  [
    "traced",
    isTracedContent,
    'must be as "coppice hooks trace --write" wrote it; without it the declaration counts as yours',
  ],
];

/** What may be said of a hook under `declare`. */
const DECLARABLE: readonly string[] = RULES.map(([field]) => field);

/** Keys of an entry that most have, and one that looks like one of ours. */
const OTHERS: readonly string[] = ["type", "command", "name", "model"];

function consequenceFor(field: string): string {
  return DECLARING.has(field) ? "runs alone" : `runs as if no ${field} were given`;
}

/** What a key that we do not know was probably meant to be. */
function meantKey(key: string): string | undefined {
  if (DECLARABLE.includes(key) || OTHERS.includes(key)) return undefined;
  return DECLARABLE.find((known) => isSlip(key.toLowerCase(), known.toLowerCase(), known.length < 5 ? 1 : 2));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
