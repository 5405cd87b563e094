import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

/** What this looks at of a manifest. */
interface Manifest {
  readonly nodes: Readonly<Record<string, { readonly because: string | null } | undefined>>;
  readonly evaluations: Readonly<
    Record<
      string,
      {
        readonly cost: { readonly money: number; readonly tokens: number } | null;
        readonly error: string | null;
        readonly error_payload: { readonly error_type: string } | null;
        readonly review_rounds: readonly unknown[];
      }
    >
  >;
}

const here = fileURLToPath(new URL(".", import.meta.url));
const clone = join(here, "../..");
const folder = mkdtempSync(join(tmpdir(), "coppice-agents-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The stand-ins under the names that the configurations call. */
const programs = join(folder, "bin");
mkdirSync(programs);
for (const name of ["claude", "codex", "gemini", "aider"]) {
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${join(here, "stand-ins", `${name}.mjs`)}" "$@"\n`);
  chmodSync(path, 0o755);
}
const environment = {
  ...process.env,
  CLAUDE_CONFIG_DIR: join(folder, "claude"),
  PATH: [programs, join(clone, "node_modules/.bin"), process.env.PATH].join(delimiter),
};

/** Grows the tree of a configuration over two ideas, one of which no agent understands. */
function grow(
  name: string,
  change = (text: string) => text,
  idea = "Make it nicer.",
): { readonly manifest: Manifest; readonly stderr: string } {
  const place = mkdtempSync(join(folder, `${name}-`));
  mkdirSync(join(place, "ideas"));
  const files = {
    "value.txt": "1\n",
    "ideas/a.md": "Set the value 3.\n",
    "ideas/b.md": `${idea}\n`,
    "coppice.tree.yaml": change(readFileSync(join(here, `${name}.tree.yaml`), "utf8")),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: place,
      stdio: "pipe",
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  const args = [join(clone, "node_modules/.bin/coppice"), "tree", "run", "--quiet", "--parallel-backend", "inline"];
  const { stderr } = spawnSync(process.execPath, args, { cwd: place, env: environment, encoding: "utf8" });
  const path = join(place, ".coppice/runs/1/manifest.json");
  return { manifest: JSON.parse(readFileSync(path, "utf8")) as Manifest, stderr };
}

describe("agents as steps of an idea tree", () => {
  for (const [name, cost, because] of [
    ["claude", { money: 0.025, tokens: 2300 }, "value 1 → 3 (+200 %), reviewer approved"],
    ["codex", { money: 0, tokens: 560 }, "value 1 → 3 (+200 %), reviewer approved"],
    ["gemini", { money: 0, tokens: 700 }, "value 1 → 3 (+200 %), reviewer approved"],
    ["aider", { money: 0.008, tokens: 2185 }, "value 1 → 3 (+200 %)"],
  ] as const) {
    it(`${name}: edits, is reviewed, and its price and tokens are counted`, () => {
      const { manifest, stderr } = grow(name);
      assert.equal(manifest.nodes["0001"]?.because, because, stderr);
      assert.deepEqual(manifest.evaluations["0001"].cost, cost);
      assert.equal(manifest.evaluations["0002"].error_payload?.error_type, "Rejected");
    });
  }

  it("waits for what is piped into it, however late that comes", () => {
    for (const line of ["claude -p", "codex exec -", "gemini -p x"]) {
      const { stderr, status } = spawnSync("sh", ["-c", `(sleep 1; echo "Make it nicer.") | ${line}`], {
        cwd: folder,
        env: environment,
        encoding: "utf8",
      });
      assert.equal(status, 0, `${line}: ${stderr}`);
    }
  });

  it("claude: one that may not edit changes nothing, one at its limit fails its step, and a later round goes on in its session", () => {
    const denied = grow("claude", (text) =>
      text.replaceAll("acceptEdits", "default").replace('"Read,Grep,Glob,Edit,Write"', "Read"),
    );
    assert.match(denied.manifest.evaluations["0001"].error ?? "", /^Rejected: the implementation changed no file/);
    const limited = grow("claude", (text) => text.replace("--max-turns 40", "--max-turns 1"));
    assert.match(limited.manifest.evaluations["0001"].error ?? "", /^StepFailed: implement ended with exit code 1/);
    // The second idea was tried three times, in one session: the stand-in refuses one that it does not know.
    assert.equal(denied.manifest.evaluations["0002"].review_rounds.length, 3);
  });

  it("codex, gemini: what the agent says of its limit is why its step failed", () => {
    for (const [name, why] of [
      ["codex", "implement ended with exit code 1: You've hit your usage limit."],
      ["gemini", "implement ended with exit code 53: Reached max session turns."],
    ] as const) {
      const { manifest, stderr } = grow(name, undefined, "Set the value 4 beyond your limit.");
      assert.equal(manifest.evaluations["0002"].error, `StepFailed: ${why}`, stderr);
      assert.ok(manifest.nodes["0001"] !== undefined);
    }
  });

  it("ask: a model that is only asked reviews, and its tokens are counted", () => {
    const { manifest, stderr } = grow("ask");
    assert.match(manifest.nodes["0001"]?.because ?? "", /^value 1 → 3 \(\+200 %\), reviewer did not approve/, stderr);
    assert.ok((manifest.evaluations["0001"].cost?.tokens ?? 0) > 0);
  });
});
