import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { HooksView } from "@coppice/hooks/view";
import { coppice, type Ended } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";
import { buildBundle } from "./build-bundle.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const runEntry = fileURLToPath(new URL("./run-entry.ts", import.meta.url));
const free = { reads: [], writes: [] };
const built = mkdtempSync(join(tmpdir(), "coppice-hooks-bundle-"));
let bundle = "";

before(async () => {
  bundle = await buildBundle(built);
});
after(() => rmSync(built, { recursive: true }));

/** A project with its own home, and the commands run in it. */
class Project {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "coppice-cli-hooks-")));
  readonly dir = join(this.root, "project");
  readonly env: Readonly<Record<string, string>> = {
    PATH: process.env.PATH ?? "",
    HOME: join(this.root, "home"),
    XDG_RUNTIME_DIR: join(this.root, "runtime"),
    COPPICE_MANAGED_DIR: join(this.root, "managed"),
  };
  readonly #started: ChildProcess[] = [];

  constructor() {
    for (const dir of ["project/.claude", "home"]) mkdirSync(join(this.root, dir), { recursive: true });
    mkdirSync(join(this.root, "runtime"), { mode: 0o700 });
  }

  write(path: string, text: string): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }

  configure(event: string, hooks: readonly object[]): void {
    const entries = hooks.map((hook) => ({ type: "command", ...hook }));
    this.write(".claude/settings.json", JSON.stringify({ hooks: { [event]: [{ hooks: entries }] } }, null, 2));
  }

  /** `coppice hooks …`; all in one process, because starting it is what takes time. */
  hooks(...args: readonly string[]): Promise<Ended> {
    return coppice(this.dir, ["hooks", ...args], this.env);
  }

  /** `coppice hooks run …` as agents start it. */
  run(args: readonly string[], input: string = JSON.stringify({ session_id: "s1", prompt: "p" }), program = bundle) {
    const node = ["--disable-warning=ExperimentalWarning", program, "hooks", "run", ...args];
    const options = { cwd: this.dir, env: this.env, input, encoding: "utf8" } as const;
    const { status: code, stdout, stderr } = spawnSync(process.execPath, node, options);
    return { code, stdout, stderr };
  }

  /** A process in the project. */
  start(args: readonly string[], input = "{}"): ChildProcess {
    const child = spawn(process.execPath, args, { cwd: this.dir, env: this.env, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin?.end(input);
    this.#started.push(child);
    return child;
  }

  /** A test that fails must not leave a process that keeps its file from ending. */
  [Symbol.dispose](): void {
    for (const child of this.#started) child.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 1500 && !condition(); i++) await sleep(10);
  return condition();
}

/** Whether someone watches over the children of a process; it is started with the knowledge of them. */
function isWatched(parent: number): boolean {
  return readdirSync("/proc").some(
    (pid) =>
      fileText(`/proc/${pid}/stat`).includes(`) S ${parent} `) &&
      fileText(`/proc/${pid}/cmdline`).includes("while read"),
  );
}

/** A file's text; empty when it is not there. */
function fileText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function running(pid: number): boolean {
  return /\) [^ZX] /.test(fileText(`/proc/${pid}/stat`));
}

describe("coppice hooks run", () => {
  it("says of an event that nobody knows that nothing ran, and nothing of one without hooks", () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [{ command: "true" }]);
    const { code, stdout, stderr } = project.run(["Nothing"]);
    assert.deepEqual([code, stdout], [0, "{}\n"]);
    assert.match(stderr, /^coppice hooks run: nothing ran: no settings have hooks for Nothing/);
    assert.equal(project.run(["Stop"]).stderr, "");
  });

  it("still holds the agent back when its answer cannot be written, and says that a harmless one is lost", (t) => {
    if (!existsSync("/dev/full")) return t.skip("there is no /dev/full here");
    using project = new Project();
    const answers = {
      deny: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } },
      ask: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } },
      block: { decision: "block", reason: "no" },
      stop: { continue: false },
      allow: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
    };
    for (const [answer, json] of Object.entries(answers)) {
      project.configure("PreToolUse", [{ command: `echo '${JSON.stringify(json)}'` }]);
      const options = { cwd: project.dir, env: project.env, input: "{}", encoding: "utf8" } as const;
      const to = (redirection: string) =>
        spawnSync(
          "/bin/sh",
          ["-c", `exec "$0" "$@" ${redirection}`, process.execPath, bundle, "hooks", "run", "PreToolUse"],
          options,
        );
      const full = to(">/dev/full");
      assert.match(full.stderr, /the hooks' answer could not be written \(ENOSPC/);
      assert.equal(full.status, answer === "allow" ? 1 : 2, answer);
      // What is said to nobody takes no answer along.
      const unheard = to("2>/dev/full");
      assert.ok(unheard.stdout.length > 2 || unheard.status === 2, answer);
    }
  });

  it("prints exactly one JSON object and exits 0, or 2 with the reason", () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [
      { command: "echo one", ...free },
      { command: "echo two", ...free },
    ]);
    const context = { hookEventName: "UserPromptSubmit", additionalContext: "one\ntwo" };
    assert.deepEqual(project.run(["UserPromptSubmit"]), {
      code: 0,
      stdout: `${JSON.stringify({ hookSpecificOutput: context })}\n`,
      stderr: "",
    });
    project.configure("Stop", [{ command: "echo wait >&2; exit 2" }]);
    assert.deepEqual(project.run(["Stop"]), { code: 2, stdout: "{}\n", stderr: "wait\n" });
    assert.deepEqual(project.run(["Stop", "--json"]), project.run(["Stop"]));
  });

  it("exits 1, never 2, for its own errors, with one line that says what would be right", () => {
    using project = new Project();
    const cases: readonly (readonly [readonly string[], string, RegExp])[] = [
      [[], "{}", /an event such as UserPromptSubmit is needed; usage: /],
      [["stop"], "{}", /an event such as UserPromptSubmit is needed, not "stop"; usage: /],
      [["Stop", "--project", "/nowhere"], "{}", /--project \/nowhere: there is no such directory/],
      [["Stop", "--fast"], "{}", /unexpected "--fast"; usage: /],
      [["Stop", "--concurrency", "0"], "{}", /--concurrency must be a whole number above 0, not 0/],
      [["Stop"], "", /standard input must be the event as one JSON object, .*; found nothing/],
      [["Stop"], "[1]", /standard input must be the event as one JSON object, .*; found JSON that is not an object/],
      [["Stop"], "hello", /standard input must be the event as one JSON object, .*; found text that is not JSON/],
    ];
    for (const [args, input, message] of cases) {
      const { code, stdout, stderr } = project.run(args, input);
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      assert.match(stderr, /^coppice hooks run: .*\n$/);
      assert.match(stderr, message);
    }
    project.write(".claude/settings.json", '{"hooks": {\n"Stop": [}');
    const { code, stderr } = project.run(["Stop"]);
    assert.equal(code, 1);
    assert.match(stderr, /settings\.json:2: not JSON at column 10: a value is expected, found "}"\n$/);
  });

  it("holds guards closed when Node is too old to check anything", () => {
    using project = new Project();
    const older = join(project.root, "older.cjs");
    const versions = '{ value: { ...process.versions, node: "20.1.0" } }';
    writeFileSync(older, `Object.defineProperty(process, "versions", ${versions});\n`);
    const command = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));
    const codes = { PreToolUse: 2, PermissionRequest: 2, UserPromptSubmit: 2, Stop: 1 };
    for (const program of [command, bundle]) {
      for (const [event, code] of Object.entries(codes)) {
        const args = ["--require", older, program, "hooks", "run", event];
        const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", input: "{}" });
        assert.equal(status, code, `${program} ${event}`);
        assert.match(stderr, /^coppice: needs Node 22\.18 or later, this is 20\.1\.0.*\n$/);
      }
    }
  });

  it("holds guards closed, too, when it was installed by halves", () => {
    using project = new Project();
    const halves = join(project.root, "halves.cjs");
    writeFileSync(halves, readFileSync(bundle));
    for (const [event, code] of Object.entries({ PreToolUse: 2, Stop: 1 })) {
      const { stderr, ...ended } = project.run([event], "{}", halves);
      assert.deepEqual(ended, { code, stdout: "" });
      assert.match(stderr, /^coppice: its program cannot be loaded \(Cannot find module .*\); install it again, so no/);
      assert.equal(stderr.trim().split("\n").length, 1);
    }
  });

  it("ends its hooks when it is asked to end, and leaves none behind when it is killed", async () => {
    using project = new Project();
    project.write("long.sh", "#!/bin/sh\nsleep 60 &\na=$!\nsetsid sleep 60 &\necho $$ $a $! >pids\nwait\n");
    project.configure("Stop", [{ command: "./long.sh" }]);
    const file = join(project.dir, "pids");
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const child = project.start([bundle, "hooks", "run", "Stop"]);
      const ended = once(child, "exit");
      const pidsNow = () => fileText(file).trim().split(" ").map(Number);
      assert.ok(await until(() => pidsNow().length === 3 && isWatched(child.pid ?? 0)), "nobody watches");
      const pids = pidsNow();
      assert.ok(pids.every(running), `of ${pids} only ${pids.filter(running)} are there`);
      child.kill(signal);
      const [code] = await ended;
      assert.equal(code, signal === "SIGTERM" ? 143 : null);
      assert.ok(await until(() => !pids.some(running)), `${signal} left ${pids.filter(running)}`);
      rmSync(file);
    }
  });

  it("does the same from its sources as from the bundle, with module hooks and background hooks", async () => {
    using project = new Project();
    project.write(
      "hooks/hello.mts",
      "export default (input: { prompt: string }) => ('module ' + input.prompt) satisfies string;\n",
    );
    project.write("later.sh", "#!/bin/sh\necho later\n");
    project.configure("UserPromptSubmit", [
      { command: "echo process", ...free },
      { command: "node hooks/hello.mts", module: "hooks/hello.mts", ...free },
      { command: "./later.sh", background: true, ...free },
      { command: "exit 3", ...free },
    ]);
    const input = JSON.stringify({ session_id: "s1", prompt: "p" });
    const fromSources = project.run(["UserPromptSubmit"], input, runEntry);
    assert.match(fromSources.stdout, /process\\nmodule p/);
    assert.match(fromSources.stdout, /exit exited with code 3/);
    assert.deepEqual(project.run(["UserPromptSubmit"], input), fromSources);
    const log = join(project.dir, ".coppice/hooks/background.log");
    assert.ok(await until(() => existsSync(log) && readFileSync(log, "utf8").match(/^ {2}later$/gm)?.length === 2));
  });
});

describe("coppice hooks", () => {
  it("plan, trace, check and report tell what they found", async () => {
    using project = new Project();
    project.write("write.sh", "#!/bin/sh\necho x >state\n");
    project.write("read.sh", "#!/bin/sh\ncat state\n");
    project.configure("UserPromptSubmit", [
      { command: "./write.sh" },
      { command: "./read.sh" },
      { command: "echo hi" },
    ]);
    assert.match((await project.hooks("plan")).stdout, /^UserPromptSubmit: 3 hooks in 3 stages\n/);
    assert.equal((await project.hooks("check")).code, 0);
    const traced = await project.hooks("trace", "UserPromptSubmit", "--no-strace", "--json", "--write");
    const { method, declare } = JSON.parse(traced.stdout);
    assert.equal(method, "snapshot");
    assert.deepEqual(declare, {
      "UserPromptSubmit/write": { reads: ["*"], writes: ["state"] },
      "UserPromptSubmit/read": { reads: ["*"], writes: [] },
      "UserPromptSubmit/echo": { reads: ["*"], writes: [] },
    });
    const plan = JSON.parse((await project.hooks("plan", "UserPromptSubmit", "--json")).stdout).plans[0];
    assert.deepEqual(plan.stages, [["write"], ["read", "echo"]]);
    assert.match(
      (await project.hooks("trace", "UserPromptSubmit", "--no-strace")).stdout,
      /they do not show what was read/,
    );
    project.run(["UserPromptSubmit"]);
    assert.match((await project.hooks("report")).stdout, /^UserPromptSubmit +1 /m);
    const report = project.start([main, "hooks", "report", "--html", "report.html"]);
    const [page] = await once(report.stdout?.setEncoding("utf8") ?? report, "data");
    assert.equal(page, `${join(project.dir, "report.html")}\n`);
    const { courses, events } = shownIn(join(project.dir, "report.html")).view as HooksView;
    assert.deepEqual([courses.length, events[0].stages], [1, [["write"], ["read", "echo"]]]);
    project.configure("UserPromptSubmit", [{ command: "./gone.sh" }]);
    const check = await project.hooks("check");
    assert.equal(check.code, 1);
    assert.match(check.stdout, /gone: \.\/gone\.sh does not exist$/m);
    assert.match(check.stdout, /declare\.UserPromptSubmit\/write: no hook of any event has this name$/m);
  });

  it("install shows the changes, makes them with --yes, and uninstall takes them back", async () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [{ command: "echo moved" }]);
    const before = readFileSync(join(project.dir, ".claude/settings.json"), "utf8");
    const args = ["install", "--command", "coppice", "--rules"];
    assert.match((await project.hooks(...args)).stdout, /^\+ +"command": "coppice hooks run UserPromptSubmit",$/m);
    assert.equal(readFileSync(join(project.dir, ".claude/settings.json"), "utf8"), before);
    assert.equal((await project.hooks(...args, "--yes")).code, 0);
    assert.match(project.run(["UserPromptSubmit"]).stdout, /moved/);
    assert.equal((await project.hooks(...args, "--yes")).stdout, "nothing to change (scope project,local)\n");
    assert.equal((await project.hooks("uninstall", "--yes")).code, 0);
    assert.equal(readFileSync(join(project.dir, ".claude/settings.json"), "utf8"), before);
    assert.equal(existsSync(join(project.dir, "CLAUDE.md")), false);
    project.configure("PreTooluse", [{ command: "echo never" }]);
    const misspelt = /finds something to mend:\n .*hooks\.PreTooluse: not an event, .* did you mean PreToolUse\?\n/;
    assert.match((await project.hooks(...args, "--yes")).stdout, misspelt);
  });

  it("install --trace also traces what was installed without", async () => {
    using project = new Project();
    project.configure("Stop", [{ command: "cat .claude/settings.json" }, { command: "echo x" }]);
    await project.hooks("install", "--yes");
    const { stdout } = await project.hooks("install", "--trace", "--yes");
    assert.match(stdout, /^2 hooks will be traced first: .*\ndone: nothing else had to change\n$/);
    const { declare } = JSON.parse(readFileSync(join(project.dir, ".claude/coppice-hooks.json"), "utf8"));
    assert.deepEqual(Object.keys(declare), ["Stop/settings", "Stop/echo"]);
    assert.match((await project.hooks("install", "--trace", "--yes")).stdout, /^nothing to change/);
  });

  it("install and uninstall say as JSON what they would change, and change it with --yes only", async () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [{ command: "echo moved" }]);
    const settings = join(project.dir, ".claude/settings.json");
    const before = readFileSync(settings, "utf8");
    const said = async (...args: readonly string[]) => JSON.parse((await project.hooks(...args, "--json")).stdout);
    const planned = await said("install", "--command", "coppice");
    assert.equal(planned.applied, false);
    const change = planned.changes.find((each: { file: string }) => each.file === settings);
    assert.deepEqual([change.before, readFileSync(settings, "utf8")], [before, before]);
    assert.deepEqual(await said("install", "--command", "coppice", "--yes"), { ...planned, applied: true });
    assert.equal(readFileSync(settings, "utf8"), change.after);
    assert.deepEqual((await said("install", "--command", "coppice", "--yes")).changes, []);
    assert.deepEqual(planned.errors, []);
    assert.ok((await said("uninstall", "--yes")).applied);
    assert.equal(readFileSync(settings, "utf8"), before);
  });

  it("serve says as JSON where it listens and whether it runs", async () => {
    using project = new Project();
    const said = async (...args: readonly string[]) =>
      JSON.parse((await project.hooks("serve", ...args, "--json")).stdout);
    assert.deepEqual(await said("--status"), { running: false, stopped: false, pid: null, modules: null });
    const daemon = project.start([main, "hooks", "serve", "--http", "--json"]);
    const ended = once(daemon, "exit");
    const [line] = await once(daemon.stdout?.setEncoding("utf8") ?? daemon, "data");
    const { pid, socket, tokenFile, http } = JSON.parse(line);
    assert.deepEqual([pid, existsSync(socket), existsSync(tokenFile)], [daemon.pid, true, true]);
    const port = /^http:\/\/127\.0\.0\.1:(\d+)\/hooks\/<Event>$/.exec(http)?.[1];
    assert.ok(port !== undefined);
    assert.deepEqual(await said("--status"), { running: true, stopped: false, pid, modules: 0 });
    assert.deepEqual(await said("--stop"), { running: false, stopped: true, pid, modules: 0 });
    assert.equal((await ended)[0], 0);
  });

  it("serve answers `run`, once, until it is stopped", async () => {
    using project = new Project();
    project.write("hooks/count.mjs", "let n = 0;\nexport default () => 'call ' + ++n;\n");
    project.configure("UserPromptSubmit", [{ command: "node hooks/count.mjs", module: "hooks/count.mjs", ...free }]);
    assert.deepEqual(
      [(await project.hooks("serve", "--status")).stdout, (await project.hooks("serve", "--status")).code],
      ["not running\n", 1],
    );
    const daemon = project.start([main, "hooks", "serve"]);
    const ended = once(daemon, "exit");
    const [said] = await once(daemon.stdout?.setEncoding("utf8") ?? daemon, "data");
    assert.match(said, /^listening on .*hooks\.sock \(mode 0600\), pid \d+\n$/);
    // A daemon that takes too long to answer is done without: on a busy machine it is asked again.
    const answers: string[] = [];
    while (answers.length < 50 && !answers.at(-1)?.includes('call 2"')) {
      answers.push(project.run(["UserPromptSubmit"]).stdout);
    }
    assert.match(answers.pop() ?? "", /call 2"/);
    for (const answer of answers) assert.match(answer, /call 1"/);
    assert.match(project.run(["UserPromptSubmit", "--no-daemon"]).stdout, /call 1"/);
    const second = await project.hooks("serve");
    assert.deepEqual([second.code, second.stderr], [2, `coppice: a daemon is already running (pid ${daemon.pid})\n`]);
    assert.match(
      (await project.hooks("serve", "--stop")).stdout,
      new RegExp(`^stopped: pid ${daemon.pid}, 1 modules loaded\n$`),
    );
    assert.equal((await ended)[0], 0);
  });

  it("say where a settings file is broken instead of finding nothing in it", async () => {
    using project = new Project();
    writeFileSync(join(project.dir, ".claude", "settings.json"), '{"hooks": {"Stop": [ }');
    const broken = /settings\.json:1: not JSON at column 22/;
    for (const args of [["plan"], ["plan", "Stop"], ["trace", "Stop"]]) {
      const { code, stdout, stderr } = await project.hooks(...args);
      assert.match(stderr, broken);
      assert.deepEqual([code, stdout, stderr.split("\n").length], [2, "", 2]);
    }
    const { code, stdout } = await project.hooks("check");
    assert.match(stdout, broken);
    assert.match(stdout, /^0 events, 1 error, 0 remarks$/m);
    assert.equal(code, 1);
  });

  it("refuse wrong usage with one line and exit code 2", async () => {
    using project = new Project();
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["plan", "Stop"], /^coppice: nothing is configured for Stop; no hooks are configured here\n$/],
      [
        ["plan", "--project", "/nowhere/at/all"],
        /^coppice: --project \/nowhere\/at\/all: there is no such directory\n$/,
      ],
      [["uninstall", "--project", ""], /^coppice: --project "": there is no such directory\n$/],
      [["install", "--scope", ""], /^coppice: --scope "": the scopes are user, project, local\n$/],
      [["install", "--scope", "galaxy"], /^coppice: --scope galaxy: the scopes are user, project, local\n$/],
      [["install", "--command", "./wrapper"], /^coppice: --command \.\/wrapper: its last word must name coppice/],
      [["report", "--html", "."], /^coppice: --html \.: is a directory; it must be the name of a file\n$/],
      [
        ["report", "--html", "/nowhere/x.html"],
        /^coppice: --html \/nowhere\/x\.html: there is no directory \/nowhere\n$/,
      ],
      [
        ["report", "--html", ".claude/settings.json"],
        /settings\.json: it is read by this command too; choose a different/,
      ],
      [["report", "--html", "notes.html"], /^coppice: --html notes\.html: there is a file that is not a page of ours/],
      [["report", "--run", "r1"], /^coppice: --run chooses an event of the page: add --html <file>\n$/],
      [["report", "--days", "-1"], /^coppice: --days must be a number above 0 and at most 3650, not -1\n$/],
      [["report", "--days", "1e9"], /^coppice: --days must be a number above 0 and at most 3650, not 1e9\n$/],
      [
        ["report", "--weekly", "--json"],
        /^coppice: --weekly prints one line for an agent: leave out --html and --json\n$/,
      ],
      [["trace", "Stop"], /^coppice: nothing is configured for Stop; no hooks are configured here\n$/],
      [["trace", "Stop", "--input", "/nowhere"], /^coppice: --input \/nowhere: there is no such file\n$/],
      [["trace", "Stop", "--input", "."], /^coppice: --input \.: it is a folder\n$/],
      [["serve", "--stop", "--http"], /^coppice: --http is for starting a daemon: leave it out with --stop\n$/],
      [["serve", "--stop", "--status"], /^coppice: --stop and --status: choose one\n$/],
      [["serve", "--http", "x"], /^coppice: --http x: not a port, which is a whole number from 0 to 65535\n$/],
    ];
    project.write("notes.html", "<title>mine</title>");
    for (const [args, message] of cases) {
      const { code, stderr } = await project.hooks(...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, message);
    }
    project.write(".claude/settings.json", "{ nonsense");
    const { code, stderr } = await project.hooks("install", "--command", "coppice");
    assert.equal(code, 2);
    assert.match(stderr, /settings\.json:1: not JSON at column 3: a key in double quotes is expected/);
  });
});
