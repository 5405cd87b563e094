import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { assertRefused, coppice, ended, file, launch, temporaryDirectory } from "../../test/coppice.ts";

/** A repository with git-ignored dependencies and two ideas, one of which breaks its test. */
function project(t: TestContext): string {
  const place = temporaryDirectory(t);
  for (const folder of ["ideas", "src", "deps"]) mkdirSync(join(place, folder));
  file(place, "deps/answer", "42\n");
  file(place, ".gitignore", "deps/\n");
  file(place, "src/value.txt", "1\n");
  file(place, "ideas/good.md", "2\n");
  file(place, "ideas/01-bad.md", "not a number\n");
  file(
    place,
    "coppice.tree.yaml",
    `ideas: { folder: ideas }
link: [deps]
steps:
  implement: cat {idea} > src/value.txt
  test: cat deps/answer; if grep not src/value.txt; then echo expected a number >&2; exit 4; fi
  sweep: '{ echo config_id,value; echo "0,$(cat src/value.txt)"; } > {results}'
score:
  primary: value
  metrics: [{ column: value, weight: 1, better: higher }]
search: { max_depth: 1, dedupe_scope: accepted, parallel_backend: inline }
`,
  );
  git(place, "init", "--quiet", "--initial-branch=main");
  git(place, "add", "--all");
  git(place, "commit", "--quiet", "--message", "Begin");
  git(place, "checkout", "--quiet", "--detach");
  return place;
}

function git(place: string, ...args: string[]): string {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: place, encoding: "utf8", stdio: "pipe" }).trim();
}

it("announces a failed step with its idea, reason and log, and goes on with what was cleaned or edited meanwhile", async (t) => {
  const place = project(t);
  // From a folder below, at a detached HEAD: as continuous integration has it.
  const runs = ["--run-dir", join(place, ".coppice/runs")];
  const grown = await coppice(join(place, "src"), ["tree", "run", ...runs]);
  assert.equal(grown.code, 0, grown.stderr);
  assert.match(
    grown.stderr,
    /bad\.md \(evaluation 0001 on node 0000\) failed: StepFailed: test ended with exit code 4\n {2}\| expected a number\n {2}\S*\/1\/logs\/evals\/0001\/test\.log \(coppice tree log 1 e0001 test\)\n/,
  );
  const log = await coppice(place, ["tree", "log", "1", "bad", "test"]);
  assert.match(
    log.stdout,
    /^evaluation 0001 \(01-bad\.md on node 0000\)\n── .*test\.log ──\n\[start\].*\n\[stdout\] 42\n/,
  );
  assert.match(
    (await coppice(place, ["tree", "log", "1", "0001"])).stdout,
    /^node 0001 \(good\.md\), promoted because value 1 → 2 \(\+100 %\), tests pass\n.*implement\.log/,
  );
  assertRefused(await coppice(place, ["tree", "log", "1", "0001", "review"]), /has no log of review: it has implement/);
  assertRefused(
    await coppice(place, ["tree", "log", "1", "ugly"]),
    /no node, evaluation or idea ugly \(ideas: 01-bad\.md/,
  );

  await coppice(place, ["tree", "clean", "1", "--all"]);
  const path = join(place, "coppice.tree.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace("exit 4", "exit 5"));
  const resumed = await coppice(place, ["tree", "resume", "1", "--max-depth", "2"]);
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stderr, /the worktrees of nodes 0000, 0001 are gone \(cleaned\) and made again/);
  assert.match(
    resumed.stderr,
    /was edited since run 1 read it \(steps\.test\.command was .*exit 4.* and is .*exit 5.*\): the run goes on as it was; to take the change: coppice tree resume 1 --config coppice\.tree\.yaml --force/,
  );
  const edited = readFileSync(path, "utf8")
    .replace("exit 5", "exit 4")
    .replace("search: {", "search: { least_gain: 0.3, max_parallel_evals: 2,")
    .replace(", dedupe_scope: accepted", "");
  writeFileSync(path, edited);
  const shaped = await coppice(place, ["tree", "resume", "1"]);
  const said =
    /\(dedupe_scope was "accepted" and is none; least_gain was none and is 0\.3; max_parallel_evals was none and is 2\): .* --config coppice\.tree\.yaml --force$/m;
  assert.match(shaped.stderr, said);
  assert.match(resumed.stderr, /evaluation 0003 on node 0001\) failed: StepFailed: test ended with exit code 4/);
  assert.ok(existsSync(join(place, ".coppice/runs/1/wt/0001/.git")));
  assert.equal(git(place, "rev-parse", "tree/1/n0000"), git(place, "rev-parse", "main"));

  // Taken: merged onto a branch, and pushed to a remote.
  git(place, "commit", "--quiet", "--all", "--message", "Edit");
  const merged = await coppice(place, ["tree", "apply", "1", "--onto", "dev", "--merge"]);
  assert.match(merged.stdout, /^node 0001 is on the branch dev \(not pushed: git push origin dev\)\n/);
  const message = git(place, "log", "--format=%B", "-1", "--merges", "dev");
  assert.match(message, /^good\n\n- \*\*good\*\* \(node 0001\): value 1 → 2 \(\+100 %\), tests pass\n/);
  assertRefused(
    await coppice(place, ["tree", "apply", "1", "--onto", "tree/1/n0001"]),
    /tree\/1\/n0001 is a branch of the tree itself/,
  );
  assertRefused(
    await coppice(place, ["tree", "pr", "1", "--push"]),
    /the remote origin cannot be read, so nothing was/,
  );
  assert.equal(git(place, "branch", "--list", "coppice/*"), "");
  git(place, "clone", "--quiet", "--bare", ".", "remote.git");
  git(place, "remote", "add", "origin", join(place, "remote.git"));
  assert.match((await coppice(place, ["tree", "pr", "1"])).stdout, /^node 0001 is on the branch coppice\/1-0001 \(not/);
  const pushed = await coppice(place, ["tree", "pr", "1", "--push"]);
  assert.match(pushed.stdout, /^node 0001 is on the branch coppice\/1-0001 \(pushed to origin\)\n.*\n\n# good\n/);
  assert.equal(git(join(place, "remote.git"), "show", "coppice/1-0001:src/value.txt"), "2");

  // What is cleaned away and collected is gone for good.
  await coppice(place, ["tree", "clean", "1", "--all"]);
  git(place, "branch", "-D", "dev", "coppice/1-0001");
  git(place, "reflog", "expire", "--expire=now", "--all");
  git(place, "gc", "--quiet", "--prune=now");
  const gone = /node 0001 is gone: its branch was removed, and git has taken its commit .* away; start a new run/;
  for (const command of ["apply", "pr"]) assertRefused(await coppice(place, ["tree", command, "1"]), gone);
  const lost = await coppice(place, ["tree", "resume", "1"]);
  assert.equal(lost.code, 2);
  assert.match(lost.stderr, gone);
});

it("names the log of a set-up that failed, a shared one too, where there is no node yet", async (t) => {
  const place = project(t);
  const path = join(place, "coppice.tree.yaml");
  const good = readFileSync(path, "utf8");
  for (const [run, share] of [
    ["1", ""],
    ["2", "share: [made]\n"],
  ] as const) {
    writeFileSync(path, good.replace("steps:", `${share}steps:\n  setup: echo no network >&2; exit 3`));
    git(place, "commit", "--quiet", "--all", "--message", "Set up");
    const { code, stderr } = await coppice(place, ["tree", "run"]);
    assert.equal(code, 1);
    const [, log = "", ...words] =
      /^ {2}(\S+) \(coppice (tree) (log) (\d) (0000) (setup)\)$/m.exec(stderr) ?? assert.fail(stderr);
    assert.ok(existsSync(join(place, log)));
    assert.equal(words[2], run);
    assert.match((await coppice(place, words)).stdout, /^node 0000 \(the root\)\n.*\n.*\n\[stderr\] no network\n/);
  }
});

it("ends a check that is interrupted with 130, and leaves nothing behind", async (t) => {
  const place = project(t);
  const begun = join(temporaryDirectory(t), "begun");
  const path = join(place, "coppice.tree.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace("sweep: '", `sweep: 'touch ${begun}; sleep 100; `));
  git(place, "commit", "--quiet", "--all", "--message", "Slow");
  const child = launch(place, ["tree", "check"], {}, t);
  const end = ended(child);
  while (!existsSync(begun)) await wait(20);
  child.kill("SIGINT");
  assert.equal((await end).code, 130);
  assert.equal(existsSync(join(place, ".coppice")), false);
  assert.equal(git(place, "worktree", "list").split("\n").length, 1);
});

it("names what is wrong with a link, and a misspelt key with the one that is meant", async (t) => {
  const place = project(t);
  const path = join(place, "coppice.tree.yaml");
  const good = readFileSync(path, "utf8");
  for (const [from, to, line] of [
    ["link: [deps]", "link: [src]", /src is tracked by git, so every worktree has it/],
    [
      "link: [deps]",
      "link: [deps, deps/answer]",
      /link and share name deps\/answer and deps, which holds it: leave one out/,
    ],
    ["link: [deps]", "link: [deps, ./deps/]", /link and share name deps twice: once is enough/],
    ["link: [deps]", "link: [gone]", /link: there is no .*gone: make it first/],
    ["steps:", "stepps:", /unknown key "stepps": did you mean "steps"\?/],
    ["max_depth", "repeats: 5, max_repeats: 2, max_depth", /max_repeats is 2, less than repeats 5/],
    ["folder: ideas", "folder: ideas, command: [x]", /ideas: give folder or command, not both/],
    ["max_depth", "max_dept", /search: unknown key "max_dept": did you mean "max_depth"\?/],
  ] as const) {
    writeFileSync(path, good.replace(from, to));
    git(place, "-c", "core.fsync=none", "commit", "--quiet", "--all", "--message", "Try");
    assertRefused(await coppice(place, ["tree", "run"]), line);
  }
});
