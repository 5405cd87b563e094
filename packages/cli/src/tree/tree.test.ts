import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { TreeView } from "@coppice/ideas/view";
import { assertRefused, coppice, document, ended, file, launch, temporaryDirectory } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";
import { git, treeProject } from "../../test/tree-project.ts";

const GOLDEN = [
  ..."--dry-run --ideas-per-node 7 --beam-width 3 --max-depth 2 --sweep-config-limit 5 --json --quiet".split(" "),
];

/** A step that waits for a file that somebody makes, or never. */
const UNTIL_GO = "while [ ! -e {repository}/go ]; do sleep 0.05; done";

interface LineUp {
  readonly promotions: readonly { readonly eval_id: string; readonly node_id: string }[];
  readonly evaluations_total: number;
  readonly stop_reason: string;
}

const promoted = ({ promotions }: LineUp) => promotions.map(({ eval_id, node_id }) => `${eval_id} ${node_id}`);

describe("coppice tree", () => {
  it("T-36: runs the golden dry run with any number of workers, without configuration or repository", async (t) => {
    const place = temporaryDirectory(t);
    for (const workers of ["1", "4"]) {
      const said = document(await coppice(place, ["tree", "run", ...GOLDEN, "--max-parallel-evals", workers]));
      const lineUp = said as unknown as LineUp;
      assert.deepEqual(promoted(lineUp), [
        "0007 0001",
        "0001 0002",
        "0006 0003",
        "0014 0004",
        "0021 0005",
        "0028 0006",
      ]);
      assert.equal(lineUp.evaluations_total, 28);
    }
  });

  it("says in one line of its own that a run's page could not be written", async (t) => {
    const place = temporaryDirectory(t);
    await coppice(place, ["tree", "run", "--dry-run", "--quiet", "--max-depth", "1"]);
    const page = join(place, ".coppice/runs/1/report.html");
    rmSync(page);
    mkdirSync(page);
    const resumed = launch(place, ["tree", "resume", "1", "--quiet", "--max-depth", "2"], {}, t);
    const { code, stderr } = await ended(resumed);
    assert.equal(code, 0);
    assert.match(stderr, /^coppice: the run's page could not be written: EISDIR: .*$/m);
    assert.doesNotMatch(stderr, /Warning|trace-warnings/);
  });

  it("T-38: verify-parity runs both ways and finds one tree", async (t) => {
    const place = temporaryDirectory(t);
    const said = document(await coppice(place, ["tree", "verify-parity", ...GOLDEN]));
    assert.equal(said.same, true);
    const text = await coppice(place, [
      "tree",
      "verify-parity",
      ...GOLDEN.filter((flag) => flag !== "--json"),
      "--id",
      "b",
    ]);
    assert.match(
      text.stdout,
      /^b-serial and b-parallel are one tree: 28 evaluations, 6 promotions, one digest [0-9a-f]{64}\n$/,
    );
  });

  it("applies a node to the working tree: all of it or nothing, and nothing without --yes", async (t) => {
    const place = treeProject(t, { implement: "cat {idea} > value.txt && printf '\\377\\000' > new.bin" });
    assert.equal((await coppice(place, ["tree", "run", "--quiet"])).code, 0);
    const shown = document(await coppice(place, ["tree", "apply", "1", "--json"]));
    assert.deepEqual([shown.node, shown.applied], ["0001", false]);
    assert.deepEqual(shown.files, [
      { path: "new.bin", added: 0, removed: 0 },
      { path: "value.txt", added: 1, removed: 1 },
    ]);
    assert.equal(git(place, "status", "--porcelain"), "");
    assertRefused(
      await coppice(place, ["tree", "apply", "1", "--node", "0009"]),
      /no node 0009 \(promoted are 0001, 0002/,
    );
    for (const [args, said] of [
      [["0001", "--node", "0002"], /two nodes are named, 0001 and --node 0002/],
      [["--merge"], /--merge needs --onto <branch>/],
      [["--onto", "a..b"], /a\.\.b cannot be the name of a branch/],
    ] as const) {
      assertRefused(await coppice(place, ["tree", "apply", "1", ...args]), said);
    }
    file(place, "value.txt", "changed\n");
    assertRefused(await coppice(place, ["tree", "apply", "1", "--yes"]), /nothing was changed: .*value\.txt/);
    assert.equal(git(place, "status", "--porcelain"), "M value.txt");
    git(place, "checkout", "--quiet", "value.txt");
    assert.match((await coppice(place, ["tree", "apply", "1", "--yes"])).stdout, /is in the working tree now/);
    assertRefused(
      await coppice(place, ["tree", "apply", "1", "--yes"]),
      /node 0001 is in .* already, nothing was changed/,
    );
    assert.equal(git(place, "status", "--porcelain"), "A  new.bin\nM  value.txt");
    assert.equal(git(place, "diff", "--cached", "tree/1/n0001"), "");
    // Its commits on a branch, with what the record says of them; what is checked out is not touched.
    git(place, "reset", "--quiet", "--hard");
    const made = await coppice(place, ["tree", "pr", "1", "0001"]);
    assert.match(made.stdout, /^node 0001 is on the branch coppice\/1-0001 \(not pushed/, made.stderr);
    assert.match(made.stdout, /- \*\*b\*\* \(node 0001\): value 1 → 3 \(\+200 %\)\n/);
    assert.equal(git(place, "show", "coppice/1-0001:value.txt"), "3");
    assert.equal(git(place, "log", "-1", "--format=%s", "coppice/1-0001"), "Apply b.md");
    const onto = await coppice(place, ["tree", "apply", "1", "0002", "--onto", "coppice/1-0001"]);
    assertRefused(onto, /node 0002 does not fit onto coppice\/1-0001, which is left as it was/);
    assert.equal(git(place, "show", "coppice/1-0001:value.txt"), "3");
  });

  it("grows a real repository, says how far it is, checks it, draws it, and cleans up after itself", async (t) => {
    const place = treeProject(t, { pool: "processes" });
    const run = await coppice(place, ["tree", "run", "--quiet", "--max-parallel-evals", "2"]);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /^tree 1: 4 evaluations, 1 depth complete, max_depth_reached\n/);
    assert.match(run.stdout, /best: 0001 b\.md \(tree\/1\/n0001, rank 2\.0000\)/);
    assert.equal(git(place, "status", "--porcelain"), "");
    assert.equal(git(place, "show", "tree/1/n0001:value.txt"), "3");
    // What agents were told and said is for their user alone.
    assert.equal(statSync(join(place, ".coppice", "runs", "1")).mode & 0o077, 0);

    assert.match((await coppice(place, ["tree", "status", "1"])).stdout, /depth 0: 4 of 4 completed, 0 failed/);
    assert.match((await coppice(place, ["tree", "graph", "1"])).stdout, /n0000 -->\|0002\| n0001/);
    const valid = await coppice(place, ["tree", "validate", "1", "--json"]);
    assert.deepEqual(document(valid), { ok: true, problems: [] });
    const verified = await coppice(place, ["verify", "1"]);
    assert.match(verified.stdout, /from its journal/);

    const summary = readFileSync(join(place, ".coppice/runs/1/TREE_SUMMARY.md"), "utf8");
    const report = await coppice(place, ["tree", "report", "1"]);
    assert.equal(report.code, 0, report.stderr);
    assert.equal(readFileSync(join(place, ".coppice/runs/1/TREE_SUMMARY.md"), "utf8"), summary);
    const { ideas } = shownIn(join(place, ".coppice/runs/1/report.html")).view as TreeView;
    assert.deepEqual([ideas.length, report.stdout.split("\n").at(-2)], [5, ".coppice/runs/1/report.html"]);

    assert.equal((await coppice(place, ["tree", "clean", "1", "--all"])).stdout, "removed 6 of 6\n");
    assert.equal(git(place, "branch", "--format=%(refname:short)"), "main");
    const broken = await coppice(place, ["tree", "validate", "1"]);
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /ref_error: branch tree\/1\/n0001 is gone/);
  });

  it("T-25: a spent budget is a good end that reports its best so far; more of it goes on to the whole tree", async (t) => {
    const place = treeProject(t);
    const stopped = await coppice(place, ["tree", "run", "--quiet", "--max-total-idea-evals", "1"]);
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.match(stopped.stdout, /1 passed the gate, 0 promoted, 1 provisional\n/);
    assert.match(stopped.stderr, /continue it with: coppice tree resume 1 --max-total-idea-evals <more than 1>\n$/);
    assert.match(stopped.stdout, /best: 0001 a\.md \(tree\/1\/e0001, rank 1\.0000, provisional\)\n/);
    assert.equal(git(place, "show", "tree/1/e0001:value.txt"), "2");
    const status = document(await coppice(place, ["tree", "status", "1", "--json"]));
    assert.deepEqual(
      (status.promotions as { node_id: string; provisional: boolean }[]).map((node) => [
        node.node_id,
        node.provisional,
      ]),
      [["0001", true]],
    );
    assert.deepEqual(document(await coppice(place, ["tree", "validate", "1", "--json"])), { ok: true, problems: [] });
    assert.match((await coppice(place, ["tree", "graph", "1"])).stdout, /n0000 -\.->\|0001\| n0001/);

    const silent = await coppice(place, ["tree", "resume", "1", "--quiet", "--no-promote-on-stop"]);
    assert.match(silent.stdout, /0 promoted\n {2}would be promoted: 0001\n/);

    const resumed = document(
      await coppice(place, ["tree", "resume", "1", "--json", "--quiet", "--max-total-idea-evals", "9"]),
    ) as unknown as LineUp;
    assert.deepEqual(promoted(resumed), ["0002 0001", "0004 0002"]);
    assert.equal(git(place, "branch", "--list", "--format=%(refname:short)", "tree/1/e*"), "");
  });

  it("says of a failure in every terminal which idea it was, also after a resume, in a tree's own words", async (t) => {
    const place = treeProject(t, { implement: "grep -q 2 {idea} && cat {idea} > value.txt" });
    const run = await coppice(place, ["tree", "run", "--max-total-idea-evals", "2"]);
    assert.match(run.stderr, /^run 1: 1 worker \(inline\), in \.coppice\/runs\/1\n/);
    assert.match(run.stderr, /^b\.md \(evaluation 0002 on node 0000\) failed: StepFailed: implement ended with/m);
    const resumed = await coppice(place, ["tree", "resume", "1", "--max-total-idea-evals", "9"]);
    assert.match(resumed.stderr, /^\d+\/\d+ tasks .* · 2 failed · /m);
    assert.match(resumed.stderr, /^done after \d+ tasks, reproducible from its journal; another run starts its/m);
    assert.match(resumed.stdout, /2 completed, 2 failed,/);
    const watched = await coppice(place, ["watch", "1"]);
    assert.match(watched.stderr, /^b\.md \(evaluation 0002 on node 0000\) failed: StepFailed: implement ended with/m);
    assert.match(watched.stderr, /· 2 failed · /);
    for (const { stderr } of [run, resumed, watched]) assert.doesNotMatch(stderr, /lookahead|tells?\b|task \d+ failed/);
  });

  it("T-25: a budget of money says what has ended, what is left, and which flag wants more", async (t) => {
    const usage = `echo '{"money": 0.5, "tokens": 7}' > {usage}`;
    const place = treeProject(t, { implement: `cat {idea} > value.txt; ${usage}` });
    const stopped = await coppice(place, ["tree", "run", "--quiet", "--max-money", "1"]);
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.match(stopped.stdout, /^tree 1: 2 of 4 evaluations, 0 depths complete, max_cost_reached\n/);
    assert.match(stopped.stderr, /1 of 1 spent; continue it with: coppice tree resume 1 --max-money <more than 1>\n$/);
    // Those who watch see what an evaluation has cost when it is told, not when the next one is.
    const watched = await coppice(place, ["watch", "1", "--json"]);
    const told = watched.stdout.split("\n").filter((line) => line.includes('"told"') && line.includes("spent:"));
    assert.match(told.at(-1) ?? "", /spent: money 1\.00, 14 tokens \(implement money 1\.00, 14 tokens\)/);
    const summary = readFileSync(join(place, ".coppice/runs/1/TREE_SUMMARY.md"), "utf8");
    assert.match(
      summary,
      /^2 of 4 evaluations, .* Steps reported a cost of money 1\.00, 14 tokens \(implement money 1\.00, 14 tokens\)\.$/m,
    );
    const resumed = document(await coppice(place, ["tree", "resume", "1", "--json", "--quiet", "--max-tokens", "15"]));
    assert.deepEqual(resumed.raise, [{ flag: "--max-money", limit: 1 }]);
  });

  it("T-15: resumes with the configuration it has, and names what is different in another", async (t) => {
    const place = treeProject(t);
    await coppice(place, ["tree", "run", "--quiet", "--max-total-idea-evals", "1"]);
    const resume = ["tree", "resume", "1", "--quiet", "--config", "coppice.tree.yaml", "--max-total-idea-evals", "9"];
    const text = readFileSync(join(place, "coppice.tree.yaml"), "utf8");
    file(place, "coppice.tree.yaml", text.replace("weight: 1", "weight: 2"));
    assertRefused(
      await coppice(place, resume),
      /started with --config score\.metrics\.0\.weight 1, not 2: that would change/,
    );
    file(place, "coppice.tree.yaml", text);
    const resumed = await coppice(place, resume);
    assert.match(resumed.stdout, /^tree 1: 4 evaluations, 1 depth complete, max_depth_reached\n/, resumed.stderr);
  });

  it("says that a run without a baseline is better begun anew", async (t) => {
    const place = treeProject(t);
    file(place, "value.txt", "much\n");
    git(place, "commit", "--quiet", "--all", "--message", "Break the measure");
    const { code, stderr } = await coppice(place, ["tree", "run", "--quiet"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /has no baseline: .*no finite number in the primary column "value"; fix it and start a new run/,
    );
  });

  it("says why nothing was left to grow: what the gate found, or that all ideas were known", async (t) => {
    const place = treeProject(t);
    const incomplete = await coppice(place, ["tree", "run", "--quiet", "--sweep-config-limit", "2"]);
    assert.match(
      incomplete.stdout,
      /none passed the gate at depth 0: 4 incomplete_or_failed_rows \(0001: 1 of 2 ids, 1 rows without and 0 with errors\)\n/,
    );
    const flags = ["--max-depth", "2", "--dedupe-scope", "node_plus_ancestors"];
    const known = await coppice(place, ["tree", "run", "--quiet", ...flags]);
    assert.match(known.stdout, /no new idea at depth 1: 8 skipped that were known; --dedupe-scope accepted offers/);
  });

  it("cleans up on a full disk as far as that goes, says what is still there, and ends it when there is room", async (t) => {
    const place = treeProject(t);
    await coppice(place, ["tree", "run", "--quiet"]);
    const held = file(place, ".git/refs/heads/tree/1/n0001.lock", ""); // another git is about to move this branch
    const entry = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));
    // No file can get a byte.
    const shell = 'ulimit -f 0; trap "" XFSZ; exec "$0" "$@"';
    const full = spawnSync("bash", ["-c", shell, process.execPath, entry, "tree", "clean", "1", "--all"], {
      cwd: place,
      encoding: "utf8",
    });
    assert.equal(full.status, 1, full.stderr);
    assert.match(full.stdout, /^removed 5 of 6\n {2}still there: tree\/1\/n0001: .*\n$/);
    assert.equal(full.stderr, "");
    assert.equal(git(place, "worktree", "list").split("\n").length, 1);
    assert.deepEqual(readdirSync(join(place, ".coppice/runs/1/belongings")), ["branch-n0001.json"]);
    rmSync(held);
    assert.equal((await coppice(place, ["tree", "clean", "1", "--all"])).stdout, "removed 1 of 1\n");
    assert.equal(git(place, "branch", "--format=%(refname:short)"), "main");
  });

  it("T-13, T-34: files that were changed or removed are named, and the run does not go on with them", async (t) => {
    const place = treeProject(t);
    await coppice(place, ["tree", "run", "--quiet"]);
    const artifacts = join(place, ".coppice/runs/1/artifacts");
    execFileSync("chmod", ["-R", "u+w", artifacts]);
    writeFileSync(join(artifacts, "candidate_eval_0002.csv"), "config_id,value\n0,99\n");
    execFileSync("rm", [join(artifacts, "candidate_eval_0003.csv")]);
    const { stdout, code } = await coppice(place, ["tree", "validate", "1"]);
    assert.equal(code, 1);
    assert.match(stdout, /sha_mismatch: artifacts\/candidate_eval_0002\.csv/);
    assert.match(stdout, /missing_file: artifacts\/candidate_eval_0003\.csv/);
    const resumed = await coppice(place, ["tree", "resume", "1", "--max-depth", "2"]);
    assertRefused(resumed, /artifacts\/candidate_eval_0002\.csv has changed since the run wrote it/);
  });

  it("T-30: an interrupted run says how to go on, leaves no process, and goes on to the same tree", async (t) => {
    const place = treeProject(t, {
      pool: "processes",
      implement: `echo x > {output}/begun; ${UNTIL_GO}; cat {idea} > value.txt`,
    });
    const child = launch(place, ["tree", "run", "--quiet", "--max-parallel-evals", "4"], {}, t);
    const end = ended(child);
    for (const id of ["0001", "0002", "0003", "0004"])
      await there(join(place, `.coppice/runs/1/eval/${id}/output/begun`));
    child.kill("SIGTERM");
    const interrupted = await end;
    assert.equal(interrupted.code, 130, interrupted.stderr);
    assert.match(interrupted.stderr, /interrupted by SIGTERM; continue it with: coppice tree resume 1\n$/);
    file(place, "go", "");
    assert.ok(!existsSync(join(place, ".coppice/runs/1/lock")));
    if (process.platform === "linux") assert.deepEqual(processesIn(place), []);

    const resumed = document(await coppice(place, ["tree", "resume", "1", "--json", "--quiet"])) as unknown as LineUp;
    assert.deepEqual(promoted(resumed), ["0002 0001", "0004 0002"]);
    assert.match(git(place, "worktree", "list"), /^(?!.*cand)/s);
  });

  it("is continued by the command that all tools share, with the options they share", async (t) => {
    const place = treeProject(t, { pool: "processes" });
    await coppice(place, ["tree", "run", "--quiet", "--max-total-idea-evals", "1"]);
    const config = (): Record<string, unknown> =>
      JSON.parse(readFileSync(join(place, ".coppice/runs/1/manifest.json"), "utf8")).run_config;
    assertRefused(
      await coppice(place, ["resume", "1", "--cache"]),
      /--cache cannot be used with an idea tree: an evaluation also leaves a branch and files/,
    );
    assert.ok(!existsSync(join(place, ".coppice/cache.sqlite")));
    assertRefused(await coppice(place, ["resume", "1", "--pool", "threads"]), /--pool threads is for dry runs/);

    const work = ["--pool", "inline", "--durable", "--timers", "--max-time", "1h", "--max-cost", "7"];
    const same = await coppice(place, ["resume", "1", "--quiet", ...work]);
    assert.match(same.stdout, /^tree 1: 1 evaluation, 0 depths complete, max_total_idea_evals_reached\n/, same.stderr);
    const { parallel_backend, max_money } = config();
    assert.deepEqual([parallel_backend, max_money], ["inline", 7]);
  });

  it("starts nothing after the time a session is given, and goes on in the next", async (t) => {
    const place = treeProject(t, { pool: "processes" });
    await coppice(place, ["tree", "run", "--quiet", "--max-total-idea-evals", "1"]);
    const record = join(place, ".coppice/runs/1/tree.json");
    const settings = JSON.parse(readFileSync(record, "utf8"));
    writeFileSync(record, JSON.stringify({ ...settings, work: { ...settings.work, maxTotalIdeaEvals: null } }));
    const late = await coppice(place, ["resume", "1", "--quiet", "--max-time", "1ms"]);
    assert.equal(late.code, 0, late.stderr);
    assert.match(late.stderr, /max_wall_time_reached: .* in this session; continue it with: coppice tree resume 1\n$/);
    const whole = document(await coppice(place, ["resume", "1", "--quiet", "--json", "--workers", "2"]));
    assert.deepEqual(promoted(whole as unknown as LineUp), ["0002 0001", "0004 0002"]);
  });

  it("T-17, B13: a run that is being worked on is not touched by anybody else", async (t) => {
    const place = treeProject(t, {
      pool: "processes",
      implement: `: > {repository}/.git/begun; ${UNTIL_GO}; cat {idea} > value.txt`,
    });
    const child = launch(place, ["tree", "run", "--quiet"], {}, t);
    // From then on an idea has its worktree; the root's is gone again by then.
    await there(join(place, ".git/begun"));
    for (const args of [
      ["resume", "1"],
      ["clean", "1"],
      ["report", "1"],
    ]) {
      assertRefused(await coppice(place, ["tree", ...args]), /in use by pid \d+ on .*: wait until it ends, or end it/);
    }
    const status = document(await coppice(place, ["tree", "status", "1", "--json"]));
    assert.equal((status.running as { pid: number }).pid, child.pid);
    assert.deepEqual(status.leftovers, []);
    child.kill("SIGKILL");
    await ended(child);
    const left = document(await coppice(place, ["tree", "status", "1", "--json"]));
    assert.equal(left.running, null);
    assert.ok((left.leftovers as unknown[]).length > 0);
    await coppice(place, ["tree", "clean", "1"]);
    assert.deepEqual(document(await coppice(place, ["tree", "status", "1", "--json"])).leftovers, []);
  });

  it("T-17: the lock of a run on another machine holds while its heart beats, and after that for as long as is granted", async (t) => {
    const place = treeProject(t);
    await coppice(place, ["tree", "run", "--quiet", "--one-depth"]);
    const lock = join(place, ".coppice/runs/1/lock");
    writeFileSync(lock, JSON.stringify({ token: "far", pid: 4711, pidStart: "1", host: "elsewhere" }));
    // Its clock is an hour behind: what counts is whether its heart beats while we look.
    const beat = () => utimesSync(lock, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600);
    const heart = setInterval(beat, 50);
    t.after(() => clearInterval(heart));
    const resume = (...flags: string[]) => coppice(place, ["tree", "resume", "1", "--quiet", ...flags]);
    assertRefused(await resume(), /in use by pid 4711 on elsewhere: wait until it ends, or end it/);
    assertRefused(await resume("--lock-stale-seconds", "6"), /in use by pid 4711 on elsewhere/);
    assertRefused(await resume("--lock-stale-seconds", "5"), /whole number from 6 to/);
    clearInterval(heart);
    assert.equal((await resume("--lock-stale-seconds", "6")).code, 0);
    writeFileSync(lock, "torn {");
    assert.equal((await resume()).code, 0);
    assert.ok(!existsSync(lock));
    const { events, run_config } = JSON.parse(readFileSync(join(place, ".coppice/runs/1/manifest.json"), "utf8")) as {
      events: { type: string; details: { from: string } }[];
      run_config: Record<string, unknown>;
    };
    assert.deepEqual(
      events.filter(({ type }) => type === "lock_takeover").map(({ details }) => details.from),
      ["pid 4711 on elsewhere", "an unreadable lock"],
    );
    assert.equal(run_config.lock_stale_seconds, 6, "a resumed run remembers");
  });

  it("writes a configuration that is valid, and never writes over one", async (t) => {
    const place = temporaryDirectory(t);
    assert.equal((await coppice(place, ["tree", "init"])).code, 0);
    assertRefused(await coppice(place, ["tree", "init"]), /coppice\.tree\.yaml exists: it is left as it is/);
    assertRefused(await coppice(place, ["tree", "init", "no/such/tree.yaml"]), /there is no folder no\/such\n$/);
    assertRefused(await coppice(place, ["tree", "run"]), /is not a git repository/);
    assert.deepEqual(readdirSync(place), ["coppice.tree.yaml"]);
  });

  it("T-06, T-15: takes the generator's memory from flags or the configuration, in its limits, and keeps it on resume", async (t) => {
    const place = temporaryDirectory(t);
    const refused = async (line: RegExp, ...args: string[]) =>
      assertRefused(await coppice(place, ["tree", ...args]), line);
    await refused(/from -1 to/, "run", ...GOLDEN, "--idea-history-max-chars", "-2");
    await refused(/native, replay/, "run", ...GOLDEN, "--idea-conversation-mode", "always");
    assert.equal(existsSync(join(place, ".coppice")), false);
    const search = "{ idea_history_window_turns: 3, idea_conversation_mode: replay }";
    const steps = "{ implement: 'true', sweep: 'true' }";
    const score = "score: { primary: speed, metrics: [{ column: speed, weight: 1, better: higher }] }\n";
    file(place, "coppice.tree.yaml", `ideas: { folder: ideas }\nsteps: ${steps}\n${score}search: ${search}\n`);
    document(await coppice(place, ["tree", "run", ...GOLDEN, "--idea-history-max-chars", "-1", "--one-depth"]));
    const manifest = JSON.parse(readFileSync(join(place, ".coppice/runs/1/manifest.json"), "utf8"));
    const { idea_conversation_mode, idea_history_window_turns, idea_history_max_chars } = manifest.run_config;
    assert.deepEqual([idea_conversation_mode, idea_history_window_turns, idea_history_max_chars], ["replay", 3, -1]);
    assert.equal(manifest.conversation_config.mode, "none");
    await refused(/mode replay, not native/, "resume", "1", "--idea-conversation-mode", "native");
    await refused(/is a dry run: there is no generator/, "resume", "1", "--force-regenerate-ideas");
  });
});

/** Waits for a file that another process writes. */
async function there(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Processes that work in a folder below the place. */
function processesIn(place: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(`=${place}/.coppice`);
    } catch {
      return false;
    }
  });
}
