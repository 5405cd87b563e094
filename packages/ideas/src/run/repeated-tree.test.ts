import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { isLongSoak, onlyInSoak, soak } from "@coppice/engine/soak";
import { makePublic, missingFor, publicRepositories } from "../../test/public-repositories.ts";
import { growElsewhere, growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { step } from "../../test/small-run.ts";
import { chooseTree } from "../config/choose-tree.ts";
import { treeText } from "../report/tree-text.ts";
import type { TreeSettings, TreeWork } from "../settings.ts";
import { openTree } from "./recorded-tree.ts";
import { newSettings } from "./tree-settings.ts";

/** Every repeat has a disturbance of its own, the same for all. */
const script = `{ echo config_id,speed; echo "0,$(( $(cat value.txt) + $1 * 7 % 4 ))"; } > "$2"\n`;
const sweep = step("sh sweep.sh {repeat} {results}");

test("repeats are tasks like any other: measured in the candidate's worktree, and a tree that was stopped goes on to the same", async () => {
  using repository = new SmallRepository({ "value.txt": "100\n", "sweep.sh": script });
  const ideas = { "a.md": "100\n\n", "b.md": "130\n" };
  const shape = { repeats: 2, maxRepeats: 4, leastGain: 0.01 };
  const whole = realSettings(repository, ideas, { id: "whole", steps: { sweep }, shape });
  const shown = new Set<string | undefined>();
  const { manifest } = await growReal(repository, whole, {
    onRun: (run) => run.subscribe((event) => event.type === "progress" && shown.add(event.progress.name)),
  });
  const { evaluations, nodes, state } = manifest;
  // Reports that come too fast are left out; each that comes has a name for people.
  const names =
    /^(the code as it is|ideas for node 0000|([ab]\.md|node 0000)(, repeat \d)?|node 0001 from .*|removing .*)$/;
  assert.deepEqual([shown.size > 0, [...shown].filter((name) => !names.test(name ?? ""))], [true, []]);
  assert.equal(nodes["0001"].because, "speed 101.5 → 131.5 (+30 %, 4 of 4 repeats)");
  assert.deepEqual(
    Object.values(evaluations).map(({ decision, repeats }) => [decision.gate_reason, repeats?.test, repeats?.verdict]),
    [
      ["gain_too_small", "paired", "not_better"],
      [null, "paired", "better"],
    ],
  );
  const says = "\n  everything was measured 2 times or more and compared by a paired t-test\n";
  assert.ok(treeText(manifest, "run").includes(says));
  assert.ok(existsSync(join(runRootOf(repository, whole), "artifacts/repeat_node_0000_1.csv")));
  const stopped = realSettings(repository, ideas, { id: "stopped", steps: { sweep }, shape });
  let told = 0;
  await growReal(repository, stopped, {
    onRun: (run) => run.subscribe((event) => event.type === "completed" && ++told === 6 && run.interrupt("enough")),
  });
  const resumed = await growReal(repository, stopped, { resume: true });
  assert.equal(resumed.manifest.state.digest, state.digest);
});

const SEEDS = soak(1, 20);

/** The repository's own configuration, with noise of this seed. */
async function settingsFor(
  repository: SmallRepository,
  id: string,
  seed: number,
  work: Partial<TreeWork> = {},
): Promise<TreeSettings> {
  const chosen = await chooseTree(join(repository.path, "coppice.tree.yaml"), { parallelBackend: "inline", ...work });
  const { sweep } = chosen.config.steps;
  const noisy = { ...sweep, environment: { NOISE_SEED: String(seed) } };
  return newSettings(id, { ...chosen, config: { ...chosen.config, steps: { ...chosen.config.steps, sweep: noisy } } });
}

const [, , c] = publicRepositories;

for (const kind of publicRepositories) {
  // The one in C is grown every day; the others take longer to start their programs.
  const skip = missingFor(kind) || (kind === c ? false : onlyInSoak().skip);
  describe(`${kind.name}, its metric with noise of 5 %`, { skip }, () => {
    it(`grows the best of what was planted in 19 of 20 trees, and nothing without a gain (${SEEDS})`, async (t) => {
      using repository = makePublic(kind);
      const found: string[] = [];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { manifest } = await growReal(repository, await settingsFor(repository, `seed${seed}`, seed));
        const { nodes, state, root } = manifest;
        found.push(
          Object.values(nodes)
            .flatMap(({ idea_chain }) => idea_chain.at(-1)?.replace(/.*\//, "") ?? [])
            .join(" "),
        );
        assert.equal(root.repeats, 5, "the noise was seen");
        assert.deepEqual(state.cost, { money: 0.25 * 7, tokens: 7000 });
        assert.match(
          nodes["0001"]?.because ?? "",
          /^steps [\d,.]+ → [\d,.]+ \(−\d+ %, \d+ of \d+ repeats\), tests pass$/,
        );
      }
      t.diagnostic(found.join("; "));
      const right = found.filter((ideas) => ideas === "b-best.md d-good.md").length;
      assert.ok(right >= SEEDS * 0.95, `${right} of ${SEEDS}: ${found.join("; ")}`);
      assert.deepEqual(
        found.filter((ideas) => /nothing|worse/.test(ideas)),
        [],
      );
    });

    // Every day same-tree.test.ts claims it of trees without noise.
    const tooLong = kind === c ? onlyInSoak().skip : isLongSoak() ? false : "only in a soak of 0.05 or more";
    it("has one digest with one worker, and with several that are killed and resumed", { skip: tooLong }, async () => {
      using repository = makePublic(kind);
      const one = await growReal(repository, await settingsFor(repository, "one", 3));
      const work = { maxParallelEvals: 3, parallelBackend: "processes" };
      const several = await settingsFor(repository, "several", 3, work);
      const runRoot = runRootOf(repository, several);
      // In the middle of evaluations, then of repeats.
      for (const tasks of [4, 14]) {
        const child = growElsewhere(repository, several);
        const ended = new Promise((resolve) => child.on("exit", resolve));
        while (child.exitCode === null && done(runRoot, several) < tasks) await wait(20);
        child.kill("SIGKILL");
        await ended;
      }
      const { manifest } = await growReal(repository, several, { resume: true });
      assert.ok(manifest.state.digest !== null && manifest.state.digest === one.manifest.state.digest);
      assert.deepEqual(manifest.state.best_path, one.manifest.state.best_path);
    });
  });
}

/** Tasks that the journal has the outcome of. */
function done(runRoot: string, settings: TreeSettings): number {
  if (!existsSync(join(runRoot, "journal.ndjson"))) return 0;
  return [...openTree(runRoot, settings).journal.tasks.values()].filter(({ final }) => final).length;
}
