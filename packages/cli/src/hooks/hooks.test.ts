import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildBundle } from "./build-bundle.ts";

const coppice = fileURLToPath(new URL("../main.ts", import.meta.url));
const runEntry = fileURLToPath(new URL("./run-entry.ts", import.meta.url));
const free = { reads: [], writes: [] };

/** A project with its own home, and the commands run in it. */
class Project {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "coppice-cli-hooks-")));
  readonly dir = join(this.root, "project");
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(this.root, "home"),
    XDG_RUNTIME_DIR: join(this.root, "runtime"),
    COPPICE_MANAGED_DIR: join(this.root, "managed"),
  };

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

  /** `coppice hooks …`; `run` goes the short way that agents take. */
  hooks(args: readonly string[], input: string = JSON.stringify({ session_id: "s1", prompt: "p" })) {
    const program = args[0] === "run" ? runEntry : coppice;
    return this.node([program, "hooks", ...args], input);
  }

  node(args: readonly string[], input: string) {
    const done = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: this.dir,
      env: this.env,
      input,
      encoding: "utf8",
    });
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  start(args: readonly string[], input = "{}"): ChildProcess {
    const child = spawn(process.execPath, args, { cwd: this.dir, env: this.env, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin?.end(input);
    return child;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 1500 && !condition(); i++) await sleep(10);
  return condition();
}

function running(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

describe("coppice hooks run", () => {
  it("prints exactly one JSON object and exits 0, or 2 with the reason", () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [
      { command: "echo one", ...free },
      { command: "echo two", ...free },
    ]);
    const context = { hookEventName: "UserPromptSubmit", additionalContext: "one\ntwo" };
    assert.deepEqual(project.hooks(["run", "UserPromptSubmit"]), {
      status: 0,
      stdout: `${JSON.stringify({ hookSpecificOutput: context })}\n`,
      stderr: "",
    });
    project.configure("Stop", [{ command: "echo wait >&2; exit 2" }]);
    assert.deepEqual(project.hooks(["run", "Stop"]), { status: 2, stdout: "{}\n", stderr: "wait\n" });
    assert.deepEqual(project.hooks(["run", "Stop", "--json"]), project.hooks(["run", "Stop"]));
  });

  it("exits 1, never 2, for its own errors, with one line that says what would be right", () => {
    using project = new Project();
    const cases: readonly (readonly [readonly string[], string, RegExp])[] = [
      [["run"], "{}", /an event such as UserPromptSubmit is needed; usage: /],
      [["run", "stop"], "{}", /an event such as UserPromptSubmit is needed/],
      [["run", "Stop", "--fast"], "{}", /unexpected "--fast"; usage: /],
      [["run", "Stop", "--concurrency", "0"], "{}", /--concurrency must be a whole number above 0, not 0/],
      [["run", "Stop"], "", /standard input must be the event as one JSON object, .*; found nothing/],
      [["run", "Stop"], "[1]", /standard input must be the event as one JSON object/],
    ];
    for (const [args, input, message] of cases) {
      const { status, stdout, stderr } = project.hooks(args, input);
      assert.deepEqual([status, stdout], [1, ""], args.join(" "));
      assert.match(stderr, /^coppice hooks run: .*\n$/);
      assert.match(stderr, message);
    }
    project.write(".claude/settings.json", '{"hooks": {\n"Stop": [}');
    const { status, stderr } = project.hooks(["run", "Stop"]);
    assert.equal(status, 1);
    assert.match(stderr, /settings\.json:2: not JSON at column 10: a value is expected, found "}"\n$/);
  });

  it("ends its hooks when it is asked to end, and leaves none behind when it is killed", async () => {
    using project = new Project();
    project.write("long.sh", "#!/bin/sh\nsleep 60 &\na=$!\nsetsid sleep 60 &\necho $$ $a $! >pids\nwait\n");
    project.configure("Stop", [{ command: "./long.sh" }]);
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const child = project.start([runEntry, "hooks", "run", "Stop"]);
      const ended = once(child, "exit");
      assert.ok(await until(() => existsSync(join(project.dir, "pids"))));
      // Long enough for a watchdog to be set.
      await sleep(700);
      const pids = readFileSync(join(project.dir, "pids"), "utf8").trim().split(" ").map(Number);
      assert.ok(pids.length === 3 && pids.every(running));
      child.kill(signal);
      const [code] = await ended;
      assert.equal(code, signal === "SIGTERM" ? 143 : null);
      assert.ok(await until(() => !pids.some(running)), `${signal} left ${pids.filter(running)}`);
      rmSync(join(project.dir, "pids"));
    }
  });

  it("does the same as a bundle, with module hooks and background hooks", async () => {
    using project = new Project();
    const bundle = await buildBundle(join(project.root, "bundle"));
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
    const fromSources = project.hooks(["run", "UserPromptSubmit"]);
    assert.match(fromSources.stdout, /process\\nmodule p/);
    assert.match(fromSources.stdout, /exit exited with code 3/);
    const fromBundle = project.node([bundle, "hooks", "run", "UserPromptSubmit"], '{"session_id":"s1","prompt":"p"}');
    assert.deepEqual(fromBundle, fromSources);
    const log = join(project.dir, ".coppice/hooks/background.log");
    assert.ok(await until(() => existsSync(log) && readFileSync(log, "utf8").match(/^ {2}later$/gm)?.length === 2));
  });
});

describe("coppice hooks", () => {
  it("plan, trace, check and report tell what they found", () => {
    using project = new Project();
    project.write("write.sh", "#!/bin/sh\necho x >state\n");
    project.write("read.sh", "#!/bin/sh\ncat state\n");
    project.configure("UserPromptSubmit", [
      { command: "./write.sh" },
      { command: "./read.sh" },
      { command: "echo hi" },
    ]);
    assert.match(project.hooks(["plan"]).stdout, /^UserPromptSubmit: 3 hooks in 3 stages\n/);
    assert.equal(project.hooks(["check"]).status, 0);
    const traced = project.hooks(["trace", "UserPromptSubmit", "--no-strace", "--json", "--write"]);
    const { method, declare } = JSON.parse(traced.stdout);
    assert.equal(method, "snapshot");
    assert.deepEqual(declare, {
      write: { reads: ["*"], writes: ["state"] },
      read: { reads: ["*"], writes: [] },
      echo: { reads: ["*"], writes: [] },
    });
    const plan = JSON.parse(project.hooks(["plan", "UserPromptSubmit", "--json"]).stdout).plans[0];
    assert.deepEqual(plan.stages, [["write"], ["read", "echo"]]);
    assert.match(project.hooks(["trace", "UserPromptSubmit", "--no-strace"]).stdout, /they do not show what was read/);
    project.hooks(["run", "UserPromptSubmit"]);
    assert.match(project.hooks(["report"]).stdout, /^UserPromptSubmit +1 /m);
    assert.equal(
      project.hooks(["report", "--html", "out/report.html"]).stdout,
      `${join(project.dir, "out/report.html")}\n`,
    );
    assert.match(readFileSync(join(project.dir, "out/report.html"), "utf8"), /<svg/);
    project.configure("UserPromptSubmit", [{ command: "./gone.sh" }]);
    const check = project.hooks(["check"]);
    assert.deepEqual([check.status, check.stdout.split("\n")[0].endsWith("gone: ./gone.sh is not there")], [1, true]);
  });

  it("install shows the changes, makes them with --yes, and uninstall takes them back", () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [{ command: "echo moved" }]);
    const before = readFileSync(join(project.dir, ".claude/settings.json"), "utf8");
    const args = ["install", "--command", "coppice", "--rules"];
    assert.match(project.hooks(args).stdout, /^\+ +"command": "coppice hooks run UserPromptSubmit",$/m);
    assert.equal(readFileSync(join(project.dir, ".claude/settings.json"), "utf8"), before);
    assert.equal(project.hooks([...args, "--yes"]).status, 0);
    assert.match(project.hooks(["run", "UserPromptSubmit"]).stdout, /moved/);
    assert.equal(project.hooks([...args, "--yes"]).stdout, "nothing to change (scope project,local)\n");
    assert.equal(project.hooks(["uninstall", "--yes"]).status, 0);
    assert.equal(readFileSync(join(project.dir, ".claude/settings.json"), "utf8"), before);
    assert.equal(existsSync(join(project.dir, "CLAUDE.md")), false);
  });

  it("install and uninstall say as JSON what they would change, and change it with --yes only", () => {
    using project = new Project();
    project.configure("UserPromptSubmit", [{ command: "echo moved" }]);
    const settings = join(project.dir, ".claude/settings.json");
    const before = readFileSync(settings, "utf8");
    const said = (...args: readonly string[]) => JSON.parse(project.hooks([...args, "--json"]).stdout);
    const planned = said("install", "--command", "coppice");
    assert.equal(planned.applied, false);
    const change = planned.changes.find((each: { file: string }) => each.file === settings);
    assert.deepEqual([change.before, readFileSync(settings, "utf8")], [before, before]);
    assert.deepEqual(said("install", "--command", "coppice", "--yes"), { ...planned, applied: true });
    assert.equal(readFileSync(settings, "utf8"), change.after);
    assert.deepEqual(said("install", "--command", "coppice", "--yes").changes, []);
    assert.ok(said("uninstall", "--yes").applied);
    assert.equal(readFileSync(settings, "utf8"), before);
  });

  it("serve says as JSON where it listens and whether it runs", async () => {
    using project = new Project();
    const said = (...args: readonly string[]) => JSON.parse(project.hooks(["serve", ...args, "--json"]).stdout);
    assert.deepEqual(said("--status"), { running: false, stopped: false, pid: null, modules: null });
    const daemon = project.start([coppice, "hooks", "serve", "--http", "--json"]);
    const ended = once(daemon, "exit");
    const [line] = await once(daemon.stdout?.setEncoding("utf8") ?? daemon, "data");
    const { pid, socket, tokenFile, http } = JSON.parse(line);
    assert.deepEqual([pid, existsSync(socket), existsSync(tokenFile)], [daemon.pid, true, true]);
    const port = /^http:\/\/127\.0\.0\.1:(\d+)\/hooks\/<Event>$/.exec(http)?.[1];
    assert.ok(port !== undefined);
    assert.deepEqual(said("--status"), { running: true, stopped: false, pid, modules: 0 });
    assert.deepEqual(said("--stop"), { running: false, stopped: true, pid, modules: 0 });
    assert.equal((await ended)[0], 0);
  });

  it("serve answers `run`, once, until it is stopped", async () => {
    using project = new Project();
    project.write("hooks/count.mjs", "let n = 0;\nexport default () => 'call ' + ++n;\n");
    project.configure("UserPromptSubmit", [{ command: "node hooks/count.mjs", module: "hooks/count.mjs", ...free }]);
    assert.deepEqual(
      [project.hooks(["serve", "--status"]).stdout, project.hooks(["serve", "--status"]).status],
      ["not running\n", 1],
    );
    const daemon = project.start([coppice, "hooks", "serve"]);
    const ended = once(daemon, "exit");
    const [said] = await once(daemon.stdout?.setEncoding("utf8") ?? daemon, "data");
    assert.match(said, /^listening on .*hooks\.sock \(mode 0600\), pid \d+\n$/);
    for (const n of [1, 2]) assert.match(project.hooks(["run", "UserPromptSubmit"]).stdout, new RegExp(`call ${n}"`));
    assert.match(project.hooks(["run", "UserPromptSubmit", "--no-daemon"]).stdout, /call 1"/);
    const second = project.hooks(["serve"]);
    assert.deepEqual([second.status, second.stderr], [2, `coppice: a daemon is already running (pid ${daemon.pid})\n`]);
    assert.match(
      project.hooks(["serve", "--stop"]).stdout,
      new RegExp(`^stopped: pid ${daemon.pid}, 1 modules loaded\n$`),
    );
    assert.equal((await ended)[0], 0);
  });

  it("say where a settings file is broken instead of finding nothing in it", () => {
    using project = new Project();
    writeFileSync(join(project.dir, ".claude", "settings.json"), '{"hooks": {"Stop": [ }');
    const broken = /settings\.json:1: not JSON at column 22/;
    for (const args of [["plan"], ["plan", "Stop"], ["trace", "Stop"]]) {
      const { status, stdout, stderr } = project.hooks(args);
      assert.match(stderr, broken);
      assert.deepEqual([status, stdout, stderr.split("\n").length], [2, "", 2]);
    }
    const { status, stdout } = project.hooks(["check"]);
    assert.match(stdout, broken);
    assert.match(stdout, /^0 events, 1 error, 0 remarks$/m);
    assert.equal(status, 1);
  });

  it("refuse wrong usage with one line and exit code 2", () => {
    using project = new Project();
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["plan", "Stop"], /^coppice: nothing is configured for Stop; no hooks are configured here\n$/],
      [
        ["plan", "--project", "/nowhere/at/all"],
        /^coppice: --project \/nowhere\/at\/all: there is no such directory\n$/,
      ],
      [["install", "--scope", "galaxy"], /^coppice: --scope galaxy: known are user, project, local\n$/],
      [["install", "--command", "./wrapper"], /^coppice: --command \.\/wrapper: its last word must name coppice/],
      [["report", "--days", "-1"], /^coppice: --days must be a number above 0, not -1\n$/],
      [["trace", "Stop"], /^coppice: nothing is configured for Stop with this input\n$/],
    ];
    for (const [args, message] of cases) {
      const { status, stderr } = project.hooks(args);
      assert.equal(status, 2, args.join(" "));
      assert.match(stderr, message);
    }
    project.write(".claude/settings.json", "{ nonsense");
    const { status, stderr } = project.hooks(["install", "--command", "coppice"]);
    assert.equal(status, 2);
    assert.match(stderr, /settings\.json:1: not JSON at column 3: a key in double quotes is expected/);
  });
});
