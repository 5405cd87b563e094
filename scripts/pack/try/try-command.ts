import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Ended, Installation } from "./installation.ts";

/** What is run in the clone and from the tarballs, to the same end. */
const COMMANDS: readonly (readonly string[])[] = [
  ["demo", "--generations", "4", "--workers", "2"],
  ["flow", "plan", "--evaluations", "5000"],
  ["tree", "run", "--dry-run", "--beam-width", "3"],
  ["tune", "demo", "--workers", "2"],
];

/** The command from the tarballs against the command of the clone. */
export function tryCommand(all: () => Installation, nodes: Readonly<Record<string, string>>, workspace: string): void {
  const cli = join(workspace, "packages", "cli", "bin", "coppice.js");
  const [own] = Object.keys(nodes);
  for (const [version, node] of Object.entries(nodes)) {
    for (const [i, args] of (version === own ? COMMANDS : COMMANDS.slice(0, 2)).entries()) {
      it(`Node ${version}: coppice ${args.join(" ")} ends with the clone's digest`, () => {
        const digests = (program: string, by: string, runs: string) => {
          succeeded(all().run(by, [program, ...args, "--quiet", "--run-dir", runs]));
          return all().digests(runs);
        };
        if (version === own) digests(cli, process.execPath, `clone-${i}`);
        const expected = all().digests(`clone-${i}`);
        assert.ok(Object.values(expected).every((digest) => /^[0-9a-f]{64}$/.test(digest)));
        assert.deepEqual(digests(all().program, node, `runs-${version}-${i}`), expected);
        assert.notDeepEqual(expected, {});
      });
    }
    it(`Node ${version}: a user's own TypeScript and dependency, on threads, on processes, killed and resumed`, () =>
      ownRun(all(), node, `own-${version}`));
  }
}

function succeeded({ code, stderr }: Ended): void {
  assert.equal(code, 0, stderr);
}

const RUN = `import { defineRun, type Outcome, type Proposal } from "@coppice/engine";

class Squares {
  #asked = 0;
  #told = 0;
  #sum = 0;
  ask(): Proposal<number> {
    if (this.#asked === 60) return { kind: this.#told === 60 ? "done" : "wait" };
    return { kind: "candidate", candidate: this.#asked, key: String(this.#asked++) };
  }
  tell(outcome: Outcome<number>): void {
    this.#told++;
    if (outcome.ok) this.#sum += outcome.value;
  }
  result = () => this.#sum;
}

export default defineRun({ search: () => new Squares(), evaluator: "./evaluator.ts" });
`;
const EVALUATOR = `import { setTimeout as wait } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import { square } from "own-dependency";

export default defineEvaluator({
  evaluate: async (_state, x: number): Promise<number> => {
    await wait(20);
    return square(x);
  },
});
`;

async function ownRun(project: Installation, node: string, runs: string): Promise<void> {
  project.write(
    "node_modules/own-dependency/package.json",
    '{ "name": "own-dependency", "version": "1.0.0", "exports": "./index.cjs" }',
  );
  project.write("node_modules/own-dependency/index.cjs", "exports.square = (x) => x * x;");
  project.write("own/run.ts", RUN);
  project.write("own/evaluator.ts", EVALUATOR);
  const words = ["run", "own/run.ts", "--quiet", "--workers", "2", "--run-dir", runs];
  for (const pool of ["threads", "processes"]) {
    succeeded(project.coppice(node, [...words, "--pool", pool, "--id", pool]));
  }
  const killed = spawn(node, [project.program, ...words, "--pool", "processes", "--id", "killed"], {
    cwd: project.root,
    env: project.environment(node),
    stdio: "ignore",
  });
  const journal = join(project.root, runs, "killed", "journal.ndjson");
  while (killed.exitCode === null && completed(journal) < 10) await wait(10);
  killed.kill("SIGKILL");
  const left = completed(journal);
  assert.ok(left >= 10 && left < 60, `${left} outcomes when it was killed`);
  succeeded(project.coppice(node, ["resume", "killed", "--quiet", "--run-dir", runs]));
  const { threads, ...others } = project.digests(runs);
  assert.deepEqual(others, { killed: threads, processes: threads });
  succeeded(project.coppice(node, ["verify", "killed", "--all", "--run-dir", runs]));
}

function completed(journal: string): number {
  try {
    return readFileSync(journal, "latin1").split('"type":"completed"').length - 1;
  } catch {
    return 0; // not there yet
  }
}

const ROUNDS = 9;
/** Machines that are busy with something else stretch a start of 40 ms; another program than the bundle takes five times as long. */
const SLOWER = 1.6;

/** Hooks written into an agent's settings, and started from there. */
export function tryHooks(all: () => Installation, workspace: string): void {
  it("hooks are installed and run, and start as fast as the clone's bundle", () => {
    const project = all();
    const settings = join(project.root, ".claude", "settings.json");
    const hook = { type: "command", command: "echo from the hook" };
    project.write(".claude/settings.json", JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }));
    const installed = project.coppice(process.execPath, ["hooks", "install", "--scope", "project", "--yes"]);
    assert.equal(installed.code, 0, installed.stderr);
    const [entry] = JSON.parse(readFileSync(settings, "utf8")).hooks.UserPromptSubmit;
    const command = String(entry.hooks[0].command);
    assert.match(command, /coppice-hooks\.sh" hooks run UserPromptSubmit$/);
    const input = JSON.stringify({ session_id: "s", prompt: "p", hook_event_name: "UserPromptSubmit" });
    const ran = spawnSync("sh", ["-c", command], {
      cwd: project.root,
      env: { ...project.environment(process.execPath), CLAUDE_PROJECT_DIR: project.root },
      input,
      encoding: "utf8",
    });
    assert.deepEqual([ran.status, ran.stdout.includes("from the hook")], [0, true], ran.stderr);

    const ours = join(project.root, "node_modules/coppice/dist/hooks/coppice-hooks.cjs");
    const clones = join(workspace, "packages/cli/dist/hooks/coppice-hooks.cjs");
    const times: Record<string, number[]> = { ours: [], clones: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [whose, program] of [
        ["ours", ours],
        ["clones", clones],
      ]) {
        const began = performance.now();
        const { code } = project.run(process.execPath, [program, "hooks", "run", "Stop"], { input: "{}" });
        assert.equal(code, 0);
        times[whose].push(performance.now() - began);
      }
    }
    const least = (list: readonly number[]) => Math.min(...list);
    assert.ok(least(times.ours) < SLOWER * least(times.clones), JSON.stringify(times));
  });
}

/** Help comes from a bundle of its own. */
export function tryHelp(all: () => Installation, workspace: string): void {
  it("prints the version and every help as the clone does", () => {
    const paths = [...readFileSync(join(workspace, "docs", "commands.md"), "utf8").matchAll(/^###? coppice (.+)$/gm)];
    const lines = [[], ["--help"], ["help"], ["--version"], ...paths.map(([, path]) => [...path.split(" "), "--help"])];
    assert.ok(lines.length > 40);
    const { version } = JSON.parse(readFileSync(join(workspace, "packages/cli/package.json"), "utf8"));
    assert.equal(all().coppice(process.execPath, ["--version"]).stdout, `${version}\n`);
    const printing = (module: string) =>
      all().run(process.execPath, [
        "--input-type=module",
        "--eval",
        `const { printedHelp } = await import(${JSON.stringify(module)});
         for (const line of ${JSON.stringify(lines)}) {
           console.log("$", line.join(" "));
           if (!(await printedHelp(line))) throw new Error(line.join(" "));
         }`,
      ]);
    const ours = printing(join(all().root, "node_modules/coppice/dist/coppice-help.cjs"));
    const clones = printing(join(workspace, "packages/cli/src/help-entry.ts"));
    assert.deepEqual(ours, { ...clones, code: 0 });
    // What only looks like a call for help is no help: the command line itself answers.
    const asked = all().coppice(process.execPath, ["show", "--run-dir", "nowhere", "--", "--help"]);
    assert.deepEqual([asked.code, asked.stdout], [2, ""]);
    assert.match(asked.stderr, /^coppice: .*--help/);
  });
}

/** What a user does wrong, and the one line that says so. */
export function tryWrongInput(all: () => Installation, tooOld: string | undefined): void {
  const wrong = (project: Installation, args: readonly string[], line: RegExp, node = process.execPath) => {
    const { code, stdout, stderr } = project.coppice(node, args);
    assert.deepEqual([code, stdout, stderr.trimEnd().split("\n").length], [2, "", 1], stderr);
    assert.match(stderr, line);
  };

  it("a Node that is too old is told so in one line", { skip: tooOld === undefined }, () => {
    wrong(all(), ["demo"], /^coppice: needs Node 22\.18 or later, this is 20\./, tooOld);
  });

  it("a dependency that is missing, TypeScript below node_modules and another engine are one line each", () => {
    const project = all();
    const search = "class S { ask() { return { kind: 'candidate', candidate: 1, key: '1' }; } tell() {} result() {} }";
    const run = (evaluator: string) =>
      project.write(
        "wrong.mjs",
        `import { defineRun } from "@coppice/engine"; ${search}
         export default defineRun({ search: () => new S(), evaluator: "${evaluator}" });`,
      );
    project.write("missing.mjs", 'import "not-installed"; export default { evaluate: () => 1 };');
    project.write("node_modules/typed/package.json", '{ "name": "typed", "version": "1.0.0", "type": "module" }');
    project.write("node_modules/typed/e.ts", "export default { evaluate: (_s: unknown, x: number): number => x };");
    const other = join(project.root, "other/node_modules/@coppice/engine");
    rmSync(other, { recursive: true, force: true });
    cpSync(join(project.root, "node_modules/@coppice/engine"), other, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(other, "package.json"), "utf8"));
    writeFileSync(join(other, "package.json"), JSON.stringify({ ...manifest, version: "7.0.0" }));
    project.write(
      "other/e.mjs",
      'import { defineEvaluator } from "@coppice/engine/evaluator"; export default defineEvaluator({ evaluate: () => 1 });',
    );
    for (const pool of ["threads", "processes"]) {
      const args = ["run", "wrong.mjs", "--quiet", "--pool", pool, "--run-dir", "wrong-runs"];
      run("./missing.mjs");
      wrong(project, args, /the package "not-installed" is not installed: npm install not-installed$/m);
      run("./node_modules/typed/e.ts");
      wrong(project, args, /Node runs no TypeScript below node_modules \(.*typed\/e\.ts\)/);
      run("./other/e.mjs");
      wrong(project, args, /was made with @coppice\/engine 7\.0\.0, and this is /);
    }
  });
}
