import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commandProblem, fillIn, placeholderMeaning, placeholderVariables, stepPlaceholders } from "./placeholders.ts";

const hostile = [
  "--x",
  "../up",
  "two words",
  "a'b\"c",
  "$(touch hacked)`touch hacked`;touch hacked",
  "new\nline",
  "ü ✓ \\ * ?",
];

/** What the program is really given. */
function received(command: string | readonly string[], idea: string): string[] {
  const { file, args } = fillIn(command, { idea, round: "0" });
  const env = { ...process.env, ...placeholderVariables({ idea, round: "0" }) };
  return execFileSync(file, args, { encoding: "utf8", env }).split("\0").slice(0, -1);
}

test("a value arrives as one argument as it is, in a list and in a shell line, whatever it holds", () => {
  for (const idea of hostile) {
    assert.deepEqual(received(["printf", "%s\\0", "{idea}", "a/{idea}/b"], idea), [idea, `a/${idea}/b`]);
    const line = `printf '%s\\0' {idea} "a/{idea}/b" pre{idea}`;
    assert.deepEqual(received(line, idea), [idea, `a/${idea}/b`, `pre${idea}`]);
    const nested = `printf '%s\\0' "<$(printf %s {idea})>" "$( (printf '%s)' "{idea}") )" it\\'s {idea}`;
    assert.deepEqual(received(nested, idea), [`<${idea}>`, `${idea})`, "it's", idea]);
  }
});

test("a value that would be code is refused with the safe form, which hands it over as it is", () => {
  for (const unsafe of ["sh -c 'echo '{ideaName}", ["sh", "-c", "echo {ideaName}"], "eval echo {ideaName}"]) {
    assert.match(commandProblem(unsafe, stepPlaceholders.test) ?? "", /\{ideaName\}: (sh|eval) /);
    assert.throws(() => fillIn(unsafe, { ideaName: "$(touch hacked).md" }), /\{ideaName\}: (sh|eval) /);
  }
  for (const idea of hostile) {
    assert.deepEqual(received(["sh", "-c", 'printf "%s\\0" "$1"', "sh", "{idea}"], idea), [idea]);
    assert.deepEqual(received('sh -c \'printf "%s\\0" "$1"\' sh {idea}', idea), [idea]);
  }
});

test("doubled braces stand for themselves, and braces that are no placeholder are left alone", () => {
  const json = '{"a": {"b": 1}}';
  assert.deepEqual(fillIn(["echo", "{{idea}}", json, "{round}"], { round: "2" }).args, ["{idea}", json, "2"]);
  const { args } = fillIn(`echo {{idea}} \${HOME} {a,b}`, {});
  assert.deepEqual(args, ["-c", `echo {idea} \${HOME} {a,b}`]);
});

test("an unknown placeholder is named with those there are", () => {
  const problem = commandProblem("run {workTree}", stepPlaceholders.test);
  assert.match(problem ?? "", /^unknown placeholder \{workTree\}; this step has \{baseline\} .*\{worktree\}/);
  assert.match(
    commandProblem(["run", "{results}"], stepPlaceholders.implement) ?? "",
    /unknown placeholder \{results\}/,
  );
  assert.equal(commandProblem(["run", "{results}"], stepPlaceholders.sweep), undefined);
});

test("an empty command, and a placeholder the shell would not see, are refused", () => {
  assert.match(commandProblem(" ", stepPlaceholders.test) ?? "", /empty/);
  assert.match(commandProblem([], stepPlaceholders.test) ?? "", /empty/);
  assert.match(commandProblem("run '{idea}'", stepPlaceholders.test) ?? "", /inside single quotes/);
  assert.equal(commandProblem("run 'it''s' \"{idea}\" \\' {idea}", stepPlaceholders.test), undefined);
});

test("B16: a placeholder without a value or with an empty one is an error, never the current folder", () => {
  assert.throws(() => fillIn(["run", "{limit}"], {}), /\{limit\} has no value here/);
  assert.throws(() => fillIn("run {output}", { output: "" }), /\{output\} is empty/);
});

test("B19: filling a command in again starts from the command, not from what it was filled in to", () => {
  const command = ["run", "{idea}", "{round}"];
  assert.deepEqual(fillIn(command, { idea: "a", round: "0" }).args, ["a", "0"]);
  assert.deepEqual(fillIn(command, { idea: "b", round: "1" }).args, ["b", "1"]);
  assert.deepEqual(command, ["run", "{idea}", "{round}"]);
});

test("the page about the tree explains every placeholder, with the steps that know it", () => {
  const page = readFileSync(new URL("../../../../docs/tree.md", import.meta.url), "utf8");
  const steps = Object.entries(stepPlaceholders);
  for (const [name, meaning] of Object.entries(placeholderMeaning)) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`{${name}}\``));
    const [, , explained, where] = (row ?? "").split("|").map((cell) => cell.trim());
    const known = steps.filter(([, names]) => (names as readonly string[]).includes(name)).map(([step]) => step);
    assert.equal(explained, meaning);
    const lacking = steps.map(([step]) => step).filter((step) => !known.includes(step));
    const short = lacking.length === 0 ? "all" : lacking.length === 1 ? `all but ${lacking[0]}` : known.join(", ");
    assert.equal(where, short, name);
  }
});
