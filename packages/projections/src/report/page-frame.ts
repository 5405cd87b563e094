/** A report as one page without anything to load. */
export function pageFrame(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${html(title)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1240px;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}
svg{display:block}.curve{fill:none;stroke:#2a7;stroke-width:1.5}.dot{fill:#2a7}.start{fill:#c50}.ideal{stroke:#bbb;stroke-dasharray:3 3}
small{color:#666}.tick{font-size:9px;fill:#888}pre{overflow-x:auto}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}small{color:#999}}
</style>
<h1>${html(title)}</h1>
${body}
</html>
`;
}

/** A row of cells; the cells are markup already. */
export function tableRow(cells: readonly string[], tag: "td" | "th" = "td"): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
}

/** Text as markup. */
export function html(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
