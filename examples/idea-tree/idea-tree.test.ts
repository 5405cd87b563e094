import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLongSoak, onlyInSoak } from "@coppice/engine/soak";
import { makeProject } from "./make-project.ts";

const coppice = fileURLToPath(new URL("../../packages/cli/bin/coppice.js", import.meta.url));

interface Manifest {
  readonly nodes: Readonly<Record<string, { readonly commit: string; readonly idea_chain: readonly string[] }>>;
  readonly evaluations: Readonly<
    Record<
      string,
      {
        readonly idea_path: string;
        readonly depth: number;
        readonly error_payload: { readonly error_type: string } | null;
      }
    >
  >;
  readonly state: { readonly best_path: readonly string[] };
}

/** Types `coppice <args>` in the project's folder. */
async function type(folder: string, ...args: string[]): Promise<void> {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, npm_command: undefined };
  await promisify(execFile)(process.execPath, [coppice, ...args], { cwd: folder, env });
}

function git(folder: string, ...args: string[]): string[] {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).split("\n").filter(Boolean);
}

/** Processes whose environment names the folder: whatever a step has started does. */
function processesOf(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(`=${folder}`);
    } catch {
      return false;
    }
  });
}

describe("the parcels' idea tree", { concurrency: true }, () => {
  // That it is the same tree one by one is seen in a soak, and on smaller trees in the tests of `ideas`.
  const oneByOne = isLongSoak();

  it(`finds the best chain${oneByOne ? " four at once as one by one" : ""}, and leaves nothing behind`, {
    timeout: 300_000,
  }, async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "coppice-parcels-")), "the parcels");
    try {
      makeProject(folder);
      const growing = ["4", ...(oneByOne ? ["1"] : [])].map(async (atOnce) => {
        await type(folder, "tree", "run", "--id", `by-${atOnce}`, "--max-parallel-evals", atOnce, "--quiet");
        const path = join(folder, ".coppice/runs", `by-${atOnce}`, "manifest.json");
        return JSON.parse(readFileSync(path, "utf8")) as Manifest;
      });
      const [parallel, serial = parallel] = await Promise.all(growing);
      const essence = ({ nodes, state }: Manifest) => [
        Object.entries(nodes).map(([id, { commit, idea_chain }]) => [id, commit, idea_chain]),
        state.best_path,
      ];
      assert.deepEqual(essence(parallel), essence(serial));

      const best = parallel.nodes[parallel.state.best_path.at(-1) ?? ""];
      assert.deepEqual(
        best.idea_chain.map((path) => basename(path)),
        ["002-take-the-tightest.md", "003-large-parcels-first.md"],
      );
      const failed = Object.values(parallel.evaluations).flatMap(({ idea_path, depth, error_payload }) =>
        depth === 0 && error_payload !== null ? [`${basename(idea_path)}: ${error_payload.error_type}`] : [],
      );
      assert.deepEqual(failed, [
        "005-leave-the-largest.md: StepFailed",
        "006-try-until-it-fits.md: TimeoutError",
        "008-ease-the-test.md: Rejected",
      ]);

      assert.deepEqual(git(folder, "status", "--porcelain"), []);
      for (const id of oneByOne ? ["by-4", "by-1"] : ["by-4"]) {
        const nodes = Object.keys(parallel.nodes).toSorted();
        const branches = git(folder, "for-each-ref", "--format=%(refname:short)", `refs/heads/tree/${id}/`);
        assert.deepEqual(
          branches,
          nodes.map((node) => `tree/${id}/n${node}`),
        );
        await type(folder, "tree", "clean", id, "--all");
      }
      assert.deepEqual(git(folder, "branch", "--format=%(refname:short)"), ["main"]);
      assert.equal(git(folder, "worktree", "list").length, 1);
      if (process.platform === "linux") assert.deepEqual(processesOf(folder), []);
    } finally {
      rmSync(dirname(folder), { recursive: true, force: true });
    }
  });

  // The tests of `ideas` see the same on smaller trees.
  it("goes further with a generator that remembers than with one that forgets", {
    ...onlyInSoak(),
    timeout: 300_000,
  }, async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "coppice-parcels-")), "remembered");
    try {
      makeProject(folder);
      const bestChain = async (id: string, ...flags: string[]) => {
        await type(folder, "tree", "run", "--config", "remembering.tree.yaml", "--id", id, "--quiet", ...flags);
        const manifest = JSON.parse(
          readFileSync(join(folder, ".coppice/runs", id, "manifest.json"), "utf8"),
        ) as Manifest;
        const best = manifest.nodes[manifest.state.best_path.at(-1) ?? ""];
        return best.idea_chain.map((path) => basename(path));
      };
      const [remembers, forgets] = await Promise.all([
        bestChain("remembers"),
        bestChain("forgets", "--idea-history-window-turns", "0"),
      ]);
      assert.deepEqual(remembers, ["001_look_at_every_box.md", "001_large_parcels_first.md"]);
      assert.deepEqual(forgets, ["001_look_at_every_box.md"]);
    } finally {
      rmSync(dirname(folder), { recursive: true, force: true });
    }
  });
});
