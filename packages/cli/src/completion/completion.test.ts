import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { CompletionRow } from "@coppice/workbench/completion";
import { assertRefused, coppice, file, temporaryDirectory } from "../../test/coppice.ts";
import { programFor } from "../command-line.ts";
import { completionTable } from "./completion-table.ts";

// Every question is asked in a real shell that has read the script; the answers are compared with what the program says.

/** A line up to the cursor, as words; the last one is being typed. */
type Typed = readonly string[];

interface Shell {
  readonly name: "bash" | "zsh" | "fish";
  /** Reads `script` and prints, for each line, what completes it, one word per line, then an empty line. */
  readonly ask: (script: string, lines: readonly Typed[]) => string;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const fishQuoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const calls = (lines: readonly Typed[]) => lines.map((words) => `try ${words.map(quoted).join(" ")}\n`).join("");

const shells: readonly Shell[] = [
  {
    name: "bash",
    ask: (script, lines) => `source ${quoted(script)}
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coppice; printf '%s\\n' "\${COMPREPLY[@]}" | grep .; echo; }
${calls(lines)}`,
  },
  {
    // What the completion system is asked to offer, without a terminal to offer it on.
    name: "zsh",
    ask: (script, lines) => `compdef() { : }
compset() { words[CURRENT]=\${words[CURRENT]#*=} }
_describe() { local list=$@[-1]; compadd -- \${\${(P)list}%%:*} }
_files() { local f; for f in \${words[CURRENT]}*(N); do [[ $1 != -/ || -d $f ]] && print -r -- $f; done }
compadd() { shift; local w; for w; do [[ $w == \${(b)words[CURRENT]}* ]] && print -r -- $w; done }
source ${quoted(script)}
try() { words=("$@"); CURRENT=$#; _coppice; print }
${calls(lines)}`,
  },
  {
    name: "fish",
    ask: (script, lines) => `source ${fishQuoted(script)}
${lines.map((words) => `complete -C ${fishQuoted(words.join(" "))} | string replace -r '\\t.*' ''; echo\n`).join("")}`,
  },
];

const commandWords = (path: string) => ["coppice", ...path.split(" ").filter((word) => word !== "")];

/** One list of words per line that was typed. */
function completed({ name, ask }: Shell, place: string, script: string, lines: readonly Typed[]): string[][] {
  const flags = { bash: ["--norc", "--noprofile"], zsh: ["-f"], fish: ["--no-config"] }[name];
  const path = file(place, "ask", ask(script, lines));
  const done = spawnSync(name, [...flags, path], {
    cwd: place,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: place, TERM: "dumb" },
  });
  assert.deepEqual([done.status ?? done.error, done.stderr], [0, ""]);
  // An empty line ends an answer.
  const lists: string[][] = [[]];
  for (const word of done.stdout.split("\n").slice(0, -1)) {
    if (word === "") lists.push([]);
    else lists.at(-1)?.push(word);
  }
  return lists.slice(0, -1);
}

function skipWithout(t: TestContext, { name }: Shell): boolean {
  const missing = spawnSync(name, ["-c", "true"]).status !== 0;
  if (missing) t.skip(`${name} is not installed here`);
  return missing;
}

async function scriptFor(shell: Shell, place: string): Promise<string> {
  const { code, stdout, stderr } = await coppice(place, ["completion", shell.name]);
  assert.deepEqual([code, stderr], [0, ""]);
  return file(place, "script", stdout);
}

describe("coppice completion", () => {
  for (const shell of shells) {
    it(`offers in ${shell.name} every command, every option and every choice, wherever it can be typed`, async (t) => {
      if (skipWithout(t, shell)) return;
      const place = temporaryDirectory(t);
      const table = completionTable(await programFor([]));
      const asked = table.flatMap((row: CompletionRow) => {
        const at = commandWords(row.path);
        return [
          ...(row.commands.length === 0 ? [] : [{ line: [...at, ""], words: row.commands.map(({ word }) => word) }]),
          { line: [...at, "--"], words: row.options.map(({ word }) => word).filter((word) => word.startsWith("--")) },
          ...row.values.flatMap(({ word, expected }) =>
            typeof expected === "string" ? [] : [{ line: [...at, word, ""], words: expected }],
          ),
        ];
      });
      assert.ok(asked.length > 80, `${asked.length} lines`);
      const script = await scriptFor(shell, place);
      const answers = completed(
        shell,
        place,
        script,
        asked.map(({ line }) => line),
      );
      for (const [i, { line, words }] of asked.entries()) {
        assert.deepEqual([...answers[i]].sort(), [...words].sort(), line.join(" "));
      }
    });

    it(`offers in ${shell.name} files, folders and runs where they are wanted, past options with their values`, async (t) => {
      if (skipWithout(t, shell)) return;
      const place = temporaryDirectory(t);
      const script = await scriptFor(shell, place);
      file(place, "module.ts", "");
      mkdirSync(join(place, ".coppice/runs/7"), { recursive: true });
      mkdirSync(join(place, "modules"));
      const equals = shell.name === "bash" ? ["--pool", "=", "in"] : ["--pool=in"];
      const lines = [
        ["coppice", "run", "mod"],
        ["coppice", "run", "--workers", "4", "--quiet", "module"],
        ["coppice", "init", "mod"],
        ["coppice", "show", ""],
        ["coppice", "run", "--run-dir", "mod"],
        ["coppice", "run", ...equals],
        ["coppice", "run", "module.ts", "--on-failure", "s"],
        ["coppice", "run", "--seed", ""],
        ["coppice", "nonsense", ""],
      ];
      const offered = completed(shell, place, script, lines).map((words) =>
        words.map((word) => word.replace(/\/$/, "").replace(/^--pool=/, "")).sort(),
      );
      assert.deepEqual(offered, [
        ["module.ts", "modules"],
        ["module.ts", "modules"],
        ["modules"],
        ["7"],
        ["modules"],
        ["inline"],
        ["stop"],
        [],
        [],
      ]);
    });
  }

  it("never runs what is being typed, nor the names of files", async (t) => {
    const [bash] = shells;
    if (skipWithout(t, bash)) return;
    const place = temporaryDirectory(t);
    const script = await scriptFor(bash, place);
    file(place, "$(touch ran)", "");
    file(place, "a b", "");
    const typed = ["$(touch", "`touch ran`", "$(touch ran)", "a", "*"];
    const words = completed(
      bash,
      place,
      script,
      typed.map((word) => ["coppice", "run", word]),
    );
    const sorted = words.map((found) => found.toSorted());
    assert.deepEqual(sorted, [["$(touch ran)"], [], ["$(touch ran)"], ["a b", "ask"], []]);
    completed(
      bash,
      place,
      script,
      typed.map((word) => ["coppice", "run", "--pool", word]),
    );
    assert.ok(!readdirSync(place).includes("ran"));
  });

  it("refuses other shells", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["completion", "csh"]), /Allowed choices are bash, zsh, fish/);
    assertRefused(await coppice(place, ["completion"]), /missing required argument 'shell'/);
  });
});
