// `node packages/cli/scripts/studio-pictures.ts <folder> [page …]`: records a run of every tool there, takes pictures of every page of the studio,
// light and dark, wide and narrow, and puts those that the documentation shows into `docs/images`. A second time, the runs of the first are
// used; pages that are named, by the part of the address after `#/`, are the only ones.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openStudio } from "@coppice/studio";
import { openBrowser, type StudioPage, until } from "@coppice/studio/browser";

const [folder, ...named] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node packages/cli/scripts/studio-pictures.ts <folder> [page …]");
  process.exit(2);
}
const clone = fileURLToPath(new URL("../../..", import.meta.url));
const made = resolve(folder);
const project = join(made, "project");
const pictures = join(made, "pictures");
mkdirSync(pictures, { recursive: true });

const PROGRAM = join(clone, "packages/cli/bin/coppice.js");
const coppice = (line: string, input = "", more: readonly string[] = [], runs = ".coppice/runs") =>
  execFileSync(process.execPath, [PROGRAM, ...line.split(" "), ...more], {
    cwd: project,
    env: { ...process.env, HOME: project, COPPICE_RUN_DIR: runs },
    input,
    stdio: ["pipe", "ignore", "pipe"],
    encoding: "utf8",
  });

/** A network with two things to weigh against each other, and a kind that sometimes does not fit. */
const judge = `export default { evaluate(_, { layers, kind, rate }) {
  if (kind === "wide" && layers === 8 && rate > 0.01) throw new Error("no memory left for this one");
  const fit = { plain: 0.12, deep: 0.04, wide: 0 }[kind];
  return { error: fit + 0.3 / layers + Math.abs(Math.log10(rate) + 2.5) / 20, size: layers * (kind === "wide" ? 2400 : 1200) };
} };`;
const space = {
  objectives: { error: "minimize", size: "minimize" },
  parameters: [
    { name: "layers", min: 1, max: 8 },
    { name: "kind", values: ["plain", "deep", "wide"] },
    { name: "rate", min: 0.00001, max: 0.1, log: true, decimals: 5 },
  ],
};

/** Each hook: how long it takes, what it reads and writes. */
const hooks = [
  ["format", 0.06, [], ["src"]],
  ["audit", 0.04, [], ["audit.log"]],
  ["lint", 0.09, ["src"], []],
  ["typecheck", 0.03, ["src"], []],
  ["notify", 0.04, ["audit.log"], []],
] as const;

/** A run of every tool, in a project with ideas and hooks of its own. */
function record(): void {
  execFileSync(process.execPath, [join(clone, "examples/idea-tree/make-project.ts"), project]);
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);
  coppice("tree run --max-parallel-evals 4 --id tree --quiet");
  mkdirSync(join(project, ".claude"));
  const listed = hooks.map(([name, seconds, reads, writes]) => {
    write(`.claude/${name}.sh`, `sleep ${seconds}\n`);
    return { type: "command", command: `sh .claude/${name}.sh`, reads, writes };
  });
  write(".claude/settings.json", JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: listed }] } }));
  for (const prompt of ["begin", "go on", "end"]) {
    coppice("hooks run UserPromptSubmit", JSON.stringify({ session_id: "s", prompt }));
  }
  coppice("demo --quiet");
  for (const seed of [1, 2]) coppice(`flow plan --evaluations 100000 --id plan-${seed} --seed ${seed} --quiet`);
  coppice("flow plan --evaluations 20000 --roots 2 --id roots --quiet");
  coppice("flow plan --evaluations 20000 --front --id front --quiet");
  coppice("flow plan --evaluations 20000 --robust 4 --id robust --quiet");
  coppice(`run ${join(clone, "examples/number-game/run.ts")} --id numbers --quiet`);
  coppice(`run ${join(clone, "examples/hyperparameters/run.ts")} --id networks --timers --quiet`);
  write("judge.mjs", judge);
  write("space.json", JSON.stringify(space));
  coppice("tune --space space.json --evaluator judge.mjs --trials 300 --id samples --quiet");
  coppice("tune demo --id tournament --num-params 4 --quiet");
  coppice("council --demo --preset quick --speculate --id council --quiet", "", ["Let customers pay by invoice"]);
  coppice("council --demo --rank --personas judge,critic,oracle --id ranking --quiet", "", ["How should it be named?"]);
  coppice("ask --demo --batch judge,critic,oracle --id ask --quiet", "", ["What breaks first if we double the load?"]);
  coppice("swarm --demo --id swarm --quiet --review pack.mjs order.mjs choose.mjs");
  coppice("digest --demo --id digest --quiet pack.mjs order.mjs choose.mjs --question", "", [
    "Where is the order of parcels decided?",
  ]);
  coppice("flow hotspots --report cells.html");
  sectorsOfTheDocs();
}

/** The day of docs/flow.md, which is one of sectors, planned as it says there. */
function sectorsOfTheDocs(): void {
  const page = (name: string) => readFileSync(join(clone, "docs", name), "utf8");
  const files = page("flow-files.md").matchAll(
    /`([\w.]+\.(?:csv|json|geojson))`[^`\n][\s\S]*?\n\n```\w+\n([\s\S]*?)```/g,
  );
  for (const [, name, text] of files) writeFileSync(join(project, name), text);
  const lines = [...page("flow.md").matchAll(/^\$ npx coppice (flow (?:import|plan|hotspots) .*)/gm)];
  const upToReport = lines.findIndex(([, line]) => line.includes("best.json") && line.includes("--report"));
  for (const [, line] of lines.slice(0, upToReport + 1)) coppice(line, "", [], "sectors");
}

if (!existsSync(project)) record();

/** Pages by address, or as files, each with what is there once it is drawn. */
const pages = [
  ["", ".runs tbody tr"],
  ["run/0/demo-1-killed", "canvas"],
  ["run/0/demo-1-killed/tasks", ".tasks button"],
  ["run/0/demo-1-killed/files", "td a"],
  ["run/0/demo-1-killed/settings", "dl.facts"],
  ["run/0/networks", "canvas"],
  ["run/0/plan-1", "canvas"],
  ["run/0/plan-1/plan", ".regulations button"],
  ["run/0/plan-1/search", "canvas"],
  ["run/0/roots/search", "canvas"],
  ["run/0/front/search", "canvas"],
  ["run/0/robust/search", "canvas"],
  ["run/0/numbers/tree", ".idea"],
  ["run/0/tree/tree", ".idea"],
  ["run/0/samples/tuner", "canvas"],
  ["run/0/tournament/tuner", "canvas"],
  ["run/0/council/council", "canvas"],
  ["run/0/ranking/answers", "canvas"],
  ["run/0/ask/answers", "canvas"],
  ["run/0/swarm/answers", "canvas"],
  ["run/0/digest/answers", "canvas"],
  ["hooks", "canvas"],
  ["compare/0/plan-1/0/plan-2", "canvas"],
  ["compare/0/demo-1-alone/0/networks", "canvas"],
  ["project/.coppice/runs/plan-1/report.html", "canvas"],
  ["project/day.html", "canvas"],
  ["project/cells.html", "canvas"],
] as const;

/** What the documentation shows: the picture of a page in one colour, wide. */
const shown: Readonly<Record<string, string>> = {
  "runs-dark": "studio-runs-dark",
  "run-0-demo-1-killed-light": "studio-run-light",
  "run-0-plan-1-plan-light": "studio-plan-light",
  "run-0-numbers-tree-light": "studio-search-tree-light",
  "run-0-tree-tree-light": "studio-tree-light",
  "run-0-samples-tuner-light": "studio-tuner-light",
  "run-0-council-council-dark": "studio-council-dark",
  "hooks-dark": "studio-hooks-dark",
  "project-day-light": "flow-sectors",
  "project-cells-light": "flow-cells",
};

/** A long page is cut where a reader has seen enough. */
const MOST_HEIGHT = 1580;

async function shoot(page: StudioPage, width: number, path: string, mostHeight = 6000): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate("scrollTo(0, 0)");
  const height = Number(
    await page.evaluate("Math.ceil(document.querySelector('main').getBoundingClientRect().bottom)"),
  );
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, mostHeight) } });
}

// Commands in the pictures are short, and say nothing of this machine.
process.chdir(project);
const studio = await openStudio({
  places: [".coppice/runs"],
  command: { program: process.execPath, args: [PROGRAM], name: "coppice" },
  project,
});
const browser = await openBrowser();
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    page.on("console", (message) => console.error(message.text()));
    page.on("pageerror", (error) => console.error(error.message));
    for (const [path, drawn] of pages) {
      if (named.length > 0 && !named.includes(path)) continue;
      const isFile = path.endsWith(".html");
      await page.goto(isFile ? pathToFileURL(join(made, path)).href : `${studio.url}#/${path}`);
      await page.locator(drawn).first().waitFor();
      if (path.endsWith("/plan")) {
        await page.locator(".regulations button").first().click();
        await page.getByLabel("Rate", { exact: true }).press("ArrowRight");
        await until(page, "performance.getEntriesByName('what-if').length > 0");
      }
      if (path.endsWith("/tasks")) await page.locator(".tasks button").nth(3).click();
      await page.waitForTimeout(500);
      const name = `${path.replace(".html", "").replaceAll(/[/.]+/g, "-") || "runs"}-${colorScheme}`;
      await shoot(page, width, join(pictures, `${name}-${width}.png`));
      const inDocs = shown[name];
      if (width === 1280 && inDocs !== undefined) {
        const file = join(clone, "docs/images", `${inDocs}.png`);
        if (inDocs.startsWith("flow")) await page.locator(".map-and-demand").screenshot({ path: file });
        else await shoot(page, width, file, MOST_HEIGHT);
      }
    }
    await page.close();
  }
}
await browser.close();
await studio.close();
