import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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
  CODEX_HOME: join(folder, "codex"),
  PATH: [programs, join(clone, "node_modules/.bin"), process.env.PATH].join(delimiter),
};

/** Grows the tree of a configuration over a good idea and others, such as one that no agent understands. */
function grow(
  name: string,
  change = (text: string) => text,
  others: readonly string[] = ["Make it nicer."],
): { readonly manifest: Manifest; readonly stderr: string } {
  const place = mkdtempSync(join(folder, `${name}-`));
  mkdirSync(join(place, "ideas"));
  const files = {
    "value.txt": "1\n",
    "ideas/a.md": "Set the value 3.\n",
    ...Object.fromEntries(others.map((idea, index) => [`ideas/b${index}.md`, `${idea}\n`])),
    "coppice.tree.yaml": change(
      readFileSync(join(here, `${name}.tree.yaml`), "utf8").replace("ideas_per_node: 3", "ideas_per_node: 9"),
    ),
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

  it("waits for what is piped into it, however late that comes", async () => {
    const lines = ["claude -p", "codex exec -", "gemini -p x --skip-trust"];
    const late = (line: string) => `(sleep 1; echo "Make it nicer.") | ${line}`;
    await Promise.all(
      lines.map((line) => promisify(execFile)("sh", ["-c", late(line)], { cwd: folder, env: environment })),
    );
  });

  it("claude: one that may not edit changes nothing, and a later round goes on in its session or says that it is gone", () => {
    const denied = grow("claude", (text) =>
      text.replaceAll("acceptEdits", "default").replace('"Read,Grep,Glob,Edit,Write"', "Read"),
    );
    assert.match(denied.manifest.evaluations["0001"].error ?? "", /^Rejected: the implementation changed no file/);
    // The second idea was tried three times, in one session: the stand-in refuses one that it does not know.
    assert.equal(denied.manifest.evaluations["0002"].review_rounds.length, 3);
    const forgotten = grow("claude", (text) =>
      text.replace(/ {2}review:[\s\S]*?(?= {2}sweep:)/, '  review: rm -r "$CLAUDE_CONFIG_DIR"; echo REJECT\n'),
    );
    assert.match(forgotten.manifest.evaluations["0001"].error ?? "", /^StepFailed: implement ended with exit code 1/);
    assert.match(forgotten.stderr, /a\.md .*failed.*\n +\| No conversation found with session ID: /);
  });

  const nothing = (place: string) => `implement ended well, but: there is no ${place} in what it printed`;
  const unsaid = nothing("[type=item.completed][item.type=agent_message].item.text");
  for (const [name, ends] of Object.entries({
    claude: {
      "beyond your limit": "implement ended well, but: API Error: Rate limit reached",
      "until interrupted by SIGINT": "implement ended with exit code 130",
      "until interrupted by SIGTERM": "implement ended with exit code 143",
      "and break off your answer": nothing(".result"),
    },
    codex: {
      "beyond your limit": "implement ended with exit code 1: You've hit your usage limit.",
      "until interrupted by SIGINT": unsaid,
      // The shell that started it says so with its exit code.
      "until interrupted by SIGTERM": "implement ended with exit code 143",
      "and break off your answer": unsaid,
    },
    gemini: {
      "beyond your limit": "implement ended with exit code 1: You have exhausted your daily quota on this model.",
      "beyond your turns":
        "implement ended with exit code 53: Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.",
      "until cancelled by a key": "implement ended with exit code 130: Operation cancelled.",
      "and say nothing": "implement ended well, but: The model returned an empty text response.",
      "until interrupted by SIGINT": nothing(".response"),
      "until interrupted by SIGTERM": nothing(".response"),
      "and break off your answer": nothing(".response"),
    },
    aider: {
      "beyond your limit":
        "implement ended well, but: litellm.RateLimitError: RateLimitError: OpenAIException - Tokens per minute limit exceeded",
      "beyond your tokens": "implement ended well, but: Model a-model has hit a token limit!",
      "until interrupted by SIGINT": "implement ended well, but: ^C again to exit",
      "until interrupted by SIGTERM": "implement was ended by SIGTERM",
    },
  })) {
    it(`${name}: at its limit, or interrupted in the middle, its step fails and says why; no half of a change is taken`, () => {
      const wishes = Object.keys(ends).map((how) => `Set the value 4 ${how}.`);
      const { manifest, stderr } = grow(name, undefined, [...wishes, "Set the value 2 at the second try."]);
      const errors = Object.values(manifest.evaluations).map(({ error }) => error);
      const whys = Object.values(ends).map((why) => `StepFailed: ${why}`);
      // The first and the last were done; a limit that is over at the second try is none.
      assert.deepEqual(errors, [null, ...whys, null], stderr);
      assert.match(manifest.nodes["0001"]?.because ?? "", /^value 1 → 3 /);
    });
  }

  it("claude: out of turns it says so", () => {
    const { manifest } = grow("claude", (text) => text.replace("--max-turns 40", "--max-turns 1"));
    const why = "implement ended with exit code 1: Reached maximum number of turns (1)";
    assert.equal(manifest.evaluations["0001"].error, `StepFailed: ${why}`);
  });

  it("gemini: a folder that nobody has trusted ends it, and a wrong flag does", () => {
    const { manifest, stderr } = grow("gemini", (text) =>
      text.replace("json --skip-trust --approval", "json --approval"),
    );
    assert.match(manifest.evaluations["0001"].error ?? "", /^StepFailed: implement ended with exit code 55/);
    assert.match(stderr, /not running in a trusted directory/);
    const status = (line: string) => spawnSync("sh", ["-c", `${line} < /dev/null`], { env: environment }).status;
    for (const wrong of ["-y --approval-mode plan", "--approval-mode all", "too", "--no-such-flag"]) {
      assert.equal(status(`gemini -p hello --skip-trust ${wrong}`), 42, wrong);
    }
    assert.equal(status("gemini -p hello --skip-trust --approval-mode plan"), 0);
  });

  it("aider: what it leaves in a worktree would be a change, if git were not told to ignore it", () => {
    const { manifest } = grow("aider", (text) => text.replace(/ {2}setup: .*\n/, ""));
    // Nothing else was done for the second idea.
    assert.match(manifest.evaluations["0002"].error ?? "none", /^none/);
    // Without --no-gitignore it tells git itself, in a file that would be part of the change, too.
    const place = mkdtempSync(join(folder, "aider-alone-"));
    const left = (flags: string) => {
      execFileSync("sh", ["-c", `git init --quiet; aider --yes-always ${flags} -m hello`], {
        cwd: place,
        env: environment,
      });
      return readdirSync(place).sort();
    };
    const files = [".aider.chat.history.md", ".aider.input.history", ".aider.tags.cache.v4", ".git"];
    assert.deepEqual(left("--no-auto-commits --no-gitignore"), files);
    assert.deepEqual(left("--no-auto-commits"), [...files, ".gitignore"]);
  });

  it("codex: a session that is gone cannot be resumed, and says so", () => {
    const said = (line: string) => spawnSync("sh", ["-c", line], { env: environment, encoding: "utf8" });
    const asked = (thread: string) => said(`echo hello | codex exec --json resume ${thread} -`);
    const gone = asked("0199a213-81c0-7800-8aa1-bbab2a035a53");
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /^Error: thread\/resume: .* no rollout found for thread id 0199a213/);
    const { stdout } = said("codex exec --json hello < /dev/null");
    assert.equal(asked(JSON.parse(stdout.split("\n")[0]).thread_id).status, 0);
  });

  it("ask: a model that is only asked reviews, and its tokens are counted", () => {
    const { manifest, stderr } = grow("ask");
    assert.match(manifest.nodes["0001"]?.because ?? "", /^value 1 → 3 \(\+200 %\), reviewer did not approve/, stderr);
    assert.ok((manifest.evaluations["0001"].cost?.tokens ?? 0) > 0);
  });
});
