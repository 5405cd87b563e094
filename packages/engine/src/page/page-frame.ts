import { type Inserted, Markup, markup } from "./markup.ts";
import { pageStyle } from "./page-style.ts";

/** What surrounds a page's content. */
export interface PageParts {
  readonly title: string;
  /** Beside the title, such as a state. */
  readonly badge?: Markup;
  /** A line below the title. */
  readonly lead?: Inserted;
  /** Rules of its own, after those of every page. */
  readonly style?: string;
  readonly body: Inserted;
  readonly footer?: Inserted;
  readonly script?: string;
}

/** One HTML document that needs nothing else and can load nothing else. */
export function page({ title, badge, lead, style = "", body, footer, script }: PageParts): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${script === undefined ? undefined : markup`; script-src 'unsafe-inline'`}">
<title>${title} · coppice</title>
<style>${new Markup(pageStyle + style)}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>${badge}
${lead === undefined ? undefined : markup`<p class="lead">${lead}</p>`}
</header>
${body}
${footer === undefined ? undefined : markup`<footer>${footer}</footer>`}
</main>
${script === undefined ? undefined : markup`<script>${new Markup(script)}</script>`}
</body>
</html>
`.text;
}

/** A column's name; `number` aligns it to the right. */
export type Column = string | { readonly number: string };

/** A table with a head; cells of number columns are aligned to the right. */
export function table(columns: readonly Column[], rows: readonly (readonly Inserted[])[]): Markup {
  const cell = (tag: "td" | "th", at: number, content: Inserted): Markup => {
    const name = new Markup(typeof columns[at] === "string" ? tag : `${tag} class="number"`);
    return markup`<${name}>${content}</${new Markup(tag)}>`;
  };
  const head = columns.map((column, at) => cell("th", at, typeof column === "string" ? column : column.number));
  return markup`<table><thead><tr>${head}</tr></thead><tbody>${rows.map(
    (row) => markup`<tr>${row.map((content, at) => cell("td", at, content))}</tr>\n`,
  )}</tbody></table>`;
}
