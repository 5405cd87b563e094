import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it, test } from "node:test";
import { growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { step } from "../../test/small-run.ts";
import type { TreeWork } from "../settings.ts";

const ideas = { "a.md": "2\n", "b.md": "3\n" };

/** A tree of two depths in a repository with packed refs, whose steps do something to it. */
function newTree(repository: SmallRepository, sweep = "", work: Partial<TreeWork> = {}) {
  const measure = `{ echo config_id,speed; echo "0,$(cat value.txt)"; } > {results}`;
  const steps = { sweep: step(`${sweep}\n${measure}`) };
  return realSettings(repository, ideas, { id: "tree", steps, work: { maxDepth: 2, ...work } });
}

/** Made at the same commit as all others, so that digests can be compared. */
function newRepository(): SmallRepository {
  return new SmallRepository({ "value.txt": "1\n", ".gitignore": "big\n" });
}

let calm: string | null = null;

/** The digest of the tree when nothing happens to it. */
async function undisturbed(): Promise<string> {
  if (calm === null) {
    using repository = newRepository();
    calm = (await growReal(repository, newTree(repository))).manifest.state.digest;
  }
  return calm ?? "";
}

for (const command of ["git gc --quiet --prune=now", "git repack -a -d --quiet"]) {
  test(`${command} while a tree is grown: the tree of an undisturbed run`, async () => {
    using repository = newRepository();
    // Between an idea's commit and its end, when nothing but the run knows of it.
    const settings = newTree(repository, `${command} && git -C {repository} pack-refs --all`);
    const { end, manifest } = await growReal(repository, settings);
    assert.deepEqual([end.state, manifest.state.digest], ["done", await undisturbed()]);
    assert.deepEqual(Object.keys(manifest.nodes), ["0000", "0001"]);
  });
}

describe("a lock that another git holds", () => {
  it("is in nobody's way where the tree does not need it", async () => {
    using repository = newRepository();
    for (const name of ["index.lock", "HEAD.lock", "config.lock"])
      writeFileSync(join(repository.path, ".git", name), "");
    const { end, manifest } = await growReal(repository, newTree(repository));
    assert.deepEqual([end.state, manifest.state.digest], ["done", await undisturbed()]);
  });

  it("is nobody's fault: the run stops, and goes on when it is gone, to the tree of an undisturbed run", async () => {
    using repository = newRepository();
    const lock = join(repository.path, ".git/packed-refs.lock");
    // From the root's measurement on: candidates' branches cannot be removed.
    const settings = newTree(repository, "[ {depth} = 1 ] || touch {repository}/.git/packed-refs.lock");
    const { end, manifest } = await growReal(repository, settings);
    assert.equal(end.state, "stopped");
    const said = /MachineTrouble: git update-ref .*packed-refs\.lock.*File exists/;
    assert.match(manifest.state.stop_reason_detail ?? "", said);
    assert.deepEqual([...new Set(Object.values(manifest.evaluations).map(({ status }) => status))], ["completed"]);
    rmSync(lock);
    const resumed = await growReal(repository, settings, { resume: true });
    assert.deepEqual([resumed.end.state, resumed.manifest.state.digest], ["done", await undisturbed()]);
  });

  it("is no idea's fault where it is a worktree's own: whatever holds HEAD.lock, the tree of an undisturbed run", async () => {
    using repository = newRepository();
    // From an idea's first step on; nobody takes it away.
    const implement = step('touch "$(git rev-parse --git-dir)/HEAD.lock"; cp {idea} value.txt');
    const held = 'touch "$(git rev-parse --git-dir)/HEAD.lock"';
    const plain = newTree(repository, held);
    const settings = { ...plain, config: { ...plain.config, steps: { ...plain.config.steps, implement } } };
    const { end, manifest } = await growReal(repository, settings);
    assert.deepEqual([end.state, manifest.state.digest], ["done", await undisturbed()]);
    assert.deepEqual(repository.worktrees.length, 2);
  });
});

/** A git that comes to grief when a file says so: at this command, in this way. */
function troubledGit(folder: string, command: string, how: string): Disposable {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
PATH=\${PATH#*:}
if [ -e "$0.trouble" ]; then case " $* " in *" ${command} "*) ${how} ;; esac; fi
exec git "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  writeFileSync(join(bin, "git.trouble"), "");
  const before = process.env.PATH ?? "";
  process.env.PATH = `${bin}${delimiter}${before}`;
  return {
    [Symbol.dispose]() {
      process.env.PATH = before;
      rmSync(bin, { recursive: true });
    },
  };
}

const troubles = [
  ["is killed at worktree add", "worktree", "kill -9 $$", /ended by SIGKILL/],
  ["is killed at add", "add", "kill -9 $$", /ended by SIGKILL/],
  ["is killed at update-ref", "update-ref", "kill -9 $$", /ended by SIGKILL/],
  [
    "cannot fork",
    "worktree",
    "echo error: cannot fork to run git-checkout: Resource temporarily unavailable >&2; exit 128",
    /Resource temporarily unavailable/,
  ],
  ["has no memory", "add", "ulimit -v 8000", /Out of memory|Cannot allocate memory|cannot map|failed to map/],
] as const;

for (const [what, command, how, said] of troubles) {
  test(`git ${what}: the run stops, and resumed it is the tree of an undisturbed run`, async () => {
    using repository = newRepository();
    const settings = newTree(repository);
    {
      using _ = troubledGit(repository.folder, command, how);
      const { end, manifest } = await growReal(repository, settings);
      assert.equal(end.state, "stopped");
      assert.match(manifest.state.stop_reason_detail ?? "", said);
    }
    const resumed = await growReal(repository, settings, { resume: existsSync(runRootOf(repository, settings)) });
    assert.deepEqual([resumed.end.state, resumed.manifest.state.digest], ["done", await undisturbed()]);
    assert.deepEqual(
      readdirSync(join(repository.path, ".git/refs/heads"), { recursive: true }).filter((name) =>
        /\.lock$/.test(String(name)),
      ),
      [],
    );
  });
}

/** The kernel refuses its shell a second process: to root it refuses none, so root is somebody else for it. */
const noFork = `${process.getuid?.() === 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""}prlimit --nproc=1:1 sh -c 'true | true'`;
const skip = /fork/.test(spawnSync("sh", ["-c", noFork], { encoding: "utf8" }).stderr)
  ? false
  : "processes cannot be limited here";

test("a step that cannot fork: the run stops, and resumed it is the tree of an undisturbed run", { skip }, async () => {
  using repository = newRepository();
  const calm = join(repository.folder, "calm");
  const settings = newTree(repository, `[ {evalId} != 0002 ] || [ -e {repository}/../calm ] || ${noFork} || exit`);
  const { end, manifest } = await growReal(repository, settings);
  assert.equal(end.state, "stopped");
  assert.match(manifest.state.stop_reason_detail ?? "", /MachineTrouble: sweep .*no process could be started/);
  writeFileSync(calm, "");
  const resumed = await growReal(repository, settings, { resume: true });
  assert.deepEqual([resumed.end.state, resumed.manifest.state.digest], ["done", await undisturbed()]);
});

test("an idea that removes its worktree, or leaves what git cannot read in it, fails alone", async () => {
  using repository = new SmallRepository({ "value.txt": "1\n", "carry-out": '. "$1"\n' });
  const spoilt = {
    "a.md": 'rm -rf "$PWD"',
    "b.md": "echo x > .git",
    "c.md": 'echo "[" > .gitmodules',
    "d.md": 'echo "* working-tree-encoding=none" > .gitattributes; echo 2 > value.txt',
    "e.md": "echo 3 > value.txt",
  };
  const settings = realSettings(repository, spoilt, {
    id: "tree",
    steps: { implement: step("sh ./carry-out {idea}") },
  });
  const { end, manifest } = await growReal(repository, settings);
  assert.equal(end.state, "done");
  const failed = Object.values(manifest.evaluations).map(({ error_payload }) => error_payload?.error_type ?? null);
  assert.deepEqual(failed, [...Array.from({ length: 4 }, () => "GitError"), null]);
  assert.deepEqual(Object.keys(manifest.nodes), ["0000", "0001"]);
});

test("a budget stops before the step that would break it; a larger one goes on to the same tree", async () => {
  using repository = newRepository();
  const cost = (money: number) => `echo '{"coppice_usage": {"money": ${money}}}'`;
  const steps = {
    implement: step(`cp {idea} value.txt; ${cost(0.3)}`),
    // The second idea is to be done once more, which nobody could know.
    review: step(
      `case "$COPPICE_TREE_EVAL_ID$COPPICE_TREE_ROUND" in 00020) echo REJECT ;; *) echo APPROVE ;; esac; ${cost(0.1)}`,
    ),
  };
  const config = { review: { maxRounds: 1, proceedOnMaxRounds: false } };
  const settings = (maxMoney: number) =>
    realSettings(repository, ideas, { id: "tree", steps, config, work: { maxMoney } });
  const { end, manifest } = await growReal(repository, settings(1));
  assert.equal(end.state, "stopped");
  assert.equal(manifest.state.stop_reason, "max_cost_reached");
  assert.equal(manifest.state.stop_reason_detail, "0.8 of 1 spent, and implement has cost up to 0.3");
  assert.ok(Math.abs(manifest.state.cost.money - 0.8) < 1e-9);
  const resumed = await growReal(repository, settings(2), { resume: true });
  assert.equal(resumed.end.state, "done");
  assert.deepEqual(
    Object.values(resumed.manifest.evaluations).map(({ status }) => status),
    ["completed", "completed"],
  );
});

test("a budget is not exceeded by steps that would begin at once before anybody knows their price", async () => {
  using repository = newRepository();
  const steps = { implement: step(`cp {idea} value.txt; sleep 0.3; echo '{"money": 0.6}' > {usage}`) };
  const settings = (id: string, work: Partial<TreeWork>) => realSettings(repository, ideas, { id, steps, work });
  const atOnce = { maxParallelEvals: 2, parallelBackend: "processes", evalTimeoutMs: 60_000 };
  const { end, manifest } = await growReal(repository, settings("tree", { ...atOnce, maxMoney: 1 }));
  assert.equal(end.state, "stopped");
  assert.equal(manifest.state.cost.money, 0.6);
  const resumed = await growReal(repository, settings("tree", { ...atOnce, maxMoney: 2 }), { resume: true });
  const whole = await growReal(repository, settings("whole", {}));
  assert.deepEqual([resumed.end.state, resumed.manifest.state.digest], ["done", whole.manifest.state.digest]);
});
