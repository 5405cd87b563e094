import type { Entry, Exported, Face } from "./declarations.ts";

/** A package's page of the reference: every entry, and every export as users get it. It is also the report of its face. */
export function apiPage({ name, description, entries }: Face): string {
  const seen = new Map<string, string>();
  const sections = entries.map((entry) => entryText(entry, seen));
  const note =
    "<!-- Written by `npm run api`; a test compares it with the declarations. A change here is a change for users. -->";
  return `${[`# ${name}`, note, description, ...sections].filter((part) => part !== "").join("\n\n")}\n`;
}

/** Exports without a doc comment, by entry: `@coppice/engine: start`. */
export function undocumented(faces: readonly Face[]): string[] {
  return faces.flatMap(({ entries }) =>
    entries.flatMap(({ specifier, exports }) =>
      exports.filter(({ comment }) => comment === "").map(({ name }) => `${specifier}: ${name}`),
    ),
  );
}

function entryText({ specifier, about, exports }: Entry, seen: Map<string, string>): string {
  const sorted = exports.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const again = sorted.filter(({ place }) => seen.has(place));
  const own = sorted.filter(({ place }) => !seen.has(place));
  for (const { place } of own) seen.set(place, specifier);
  const passedOn = again.map(({ name, place }) => `\`${name}\` (${seen.get(place)})`).join(", ");
  return [`## ${specifier}`, about, ...own.map(exportText), ...(passedOn === "" ? [] : [`Also here: ${passedOn}.`])]
    .filter((part) => part !== "")
    .join("\n\n");
}

function exportText({ name, comment, declaration }: Exported): string {
  const said = comment.replace(/\{@link ([^}]+)\}/g, "`$1`");
  return `### ${name}\n\n${said}\n\n\`\`\`ts\n${declaration}\n\`\`\``;
}
