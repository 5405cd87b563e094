/** Text that is already HTML or SVG; everything else is escaped on its way in. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Inserted = string | number | Markup | readonly Inserted[] | undefined;

/** Builds markup from a template: inserted texts are escaped, inserted markup is not, lists are joined. */
export function markup(parts: TemplateStringsArray, ...inserted: readonly Inserted[]): Markup {
  let text = parts[0];
  for (const [index, value] of inserted.entries()) text += written(value) + parts[index + 1];
  return new Markup(text);
}

/** Data for the page's script. */
export function embedded(id: string, data: unknown): Markup {
  const json = new Markup(JSON.stringify(data).replaceAll("<", "\\u003c"));
  return markup`<script type="application/json" id="${id}">${json}</script>`;
}

function written(value: Inserted): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(written).join("");
  return escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  // Control characters other than tab and newline are not allowed in a document; they are shown instead.
  return text
    .replace(/[&<>"']/g, (character) => entities[character])
    .replace(/\p{Cc}/gu, (character) =>
      character === "\t" || character === "\n"
        ? character
        : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
    )
    .toWellFormed();
}
