// Makes docs/images/*.svg from what the commands really print: run `node scripts/terminal-picture.ts`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COLUMN_PX = 7.8;
const ROW_PX = 17;
const MARGIN_PX = 18;
const COLUMNS = 112;

const coppice = fileURLToPath(new URL("../packages/cli/bin/coppice.js", import.meta.url));
const runs = mkdtempSync(join(tmpdir(), "coppice-picture-"));

draw("plan", "npm start", ["flow", "plan", "--evaluations", "200000"]);
draw("demo", "npx coppice demo", ["demo"]);
rmSync(runs, { recursive: true, force: true });

/** Runs the command as plain lines and draws what it printed, both streams in the order they came. */
function draw(name: string, typed: string, args: readonly string[]): void {
  const shell = ["-c", 'exec "$0" "$@" 2>&1', process.execPath, coppice, ...args, "--quiet"];
  const done = spawnSync("sh", shell, { encoding: "utf8", cwd: runs, env: { ...process.env, npm_command: "exec" } });
  if (done.status !== 0) throw new Error(done.stdout);
  const lines = [`$ ${typed}`, "", ...done.stdout.trimEnd().split("\n")].map((line) => line.slice(0, COLUMNS));
  writeFileSync(fileURLToPath(new URL(`../docs/images/${name}.svg`, import.meta.url)), picture(typed, lines));
  console.log(`docs/images/${name}.svg: ${lines.length} lines`);
}

function picture(typed: string, lines: readonly string[]): string {
  const width = Math.round(COLUMNS * COLUMN_PX + 2 * MARGIN_PX);
  const height = lines.length * ROW_PX + 2 * MARGIN_PX;
  const rows = lines.map((line, i) => {
    const y = MARGIN_PX + (i + 1) * ROW_PX - 4;
    return `<text x="${MARGIN_PX}" y="${y}"${shade(line)} xml:space="preserve">${escaped(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="What ${typed} prints">
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
  if (/^(The same digest|digest )/.test(line)) return ' fill="#8fd19e"';
  return "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
