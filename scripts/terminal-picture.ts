// Makes docs/images/demo.svg from what `coppice demo` really prints: run `node scripts/terminal-picture.ts`.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const COLUMN_PX = 7.8;
const ROW_PX = 17;
const MARGIN_PX = 18;
const COLUMNS = 112;

const command = fileURLToPath(new URL("../packages/cli/bin/coppice.js", import.meta.url));
const demo = spawnSync(process.execPath, [command, "demo", "--quiet"], { encoding: "utf8" });
if (demo.status !== 0) {
  console.error(demo.stderr);
  process.exit(1);
}
const lines = ["$ npm run demo", "", ...demo.stdout.trimEnd().split("\n")].map((line) => line.slice(0, COLUMNS));
writeFileSync(fileURLToPath(new URL("../docs/images/demo.svg", import.meta.url)), picture(lines));
console.log(`docs/images/demo.svg: ${lines.length} lines`);

function picture(lines: readonly string[]): string {
  const width = Math.round(COLUMNS * COLUMN_PX + 2 * MARGIN_PX);
  const height = lines.length * ROW_PX + 2 * MARGIN_PX;
  const rows = lines.map((line, i) => {
    const y = MARGIN_PX + (i + 1) * ROW_PX - 4;
    return `<text x="${MARGIN_PX}" y="${y}"${shade(line)} xml:space="preserve">${escaped(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="What npm run demo prints">
<rect width="${width}" height="${height}" rx="10" fill="#15201a"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#dfe8e1">
${rows.join("\n")}
</g>
</svg>
`;
}

/** The heading and the digests stand out; the plate is green. */
function shade(line: string): string {
  if (line.startsWith("$")) return ' fill="#8fd19e" font-weight="bold"';
  if (/^\s+\|/.test(line)) return ' fill="#e7b04b"';
  if (/^The same digest/.test(line)) return ' fill="#8fd19e"';
  return "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
