import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { LiveGroups } from "@coppice/engine/child-process";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import type { ChosenModel } from "./choose-model.ts";
import { ModelError } from "./consultation.ts";
import { type CommandProvider, parseModels } from "./models-file.ts";
import { promptCommandProblem } from "./prompt-command.ts";
import { CommandTransport } from "./transport/command.ts";

const place = mkdtempSync(join(tmpdir(), "coppice-prompt-"));
after(() => rmSync(place, { recursive: true, force: true }));
const dump = join(place, "dump");
writeFileSync(dump, `printf '<%s>' "$@"; printf '['; cat; printf ']'\n`);

/** What a program that is started by the command says it was given: `<argument>…[standard input]`. */
async function received(command: CommandProvider["command"], prompt: string): Promise<string> {
  return (await answer({ command }, prompt)).content;
}

async function answer(provider: CommandProvider, prompt: string, keyVariables: readonly string[] = []) {
  const groups = new LiveGroups();
  try {
    const request = { model: "m", messages: [{ role: "user" as const, content: prompt }] };
    const { signal } = new AbortController();
    const model: ChosenModel = { reference: "p/m", providerName: "p", provider, model: "m", price: undefined };
    const transport = new CommandTransport(provider, groups, keyVariables);
    return await transport.send({ request, signal, model, arrived: () => {} });
  } finally {
    groups.close();
  }
}

const asArgument: readonly CommandProvider["command"][] = [
  ["sh", dump, "{prompt}"],
  ["env", "A=1", "sh", dump, "{prompt}"],
  `sh ${dump} {prompt}`,
  `sh ${dump} '{prompt}'`,
  `sh ${dump} "{prompt}" | cat`,
  `true && sh ${dump} {prompt} </dev/null`,
  `sh -c 'sh "$1" "$2"' sh ${dump} {prompt}`,
  `env A=1 sh ${dump} {prompt} 2>&1 | cat`,
];
const onInput: readonly CommandProvider["command"][] = [
  ["sh", dump],
  `sh ${dump}`,
  `cat | sh ${dump}`,
  `sh -c 'cat | sh ${dump}'`,
];

const pieces =
  "' \" ` $ $( ) $\u007b } \\ * ? ~ ! # < > | & ; = - a é 𝄞 \u202e \u001b[31m COPPICE_PROMPT {prompt} $& %s".split(" ");
const hostile = fc
  .array(fc.constantFrom(...pieces, " ", "\n", "\0", "--yes", "$(touch ran)", "`touch ran`"), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(""))
  .filter((prompt) => prompt.trim() !== "");

describe("a command as a model", () => {
  it("is given a prompt byte for byte, or none at all", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (prompt) => {
        for (const command of asArgument) {
          const refused = prompt.includes("\0") || /^-+\w/.test(prompt);
          if (refused) await assert.rejects(received(command, prompt), ModelError, String(command));
          else assert.equal(await received(command, prompt), `<${prompt}>[]`, String(command));
        }
        for (const command of onInput) assert.equal(await received(command, prompt), `<>[${prompt}]`, String(command));
      }),
      { numRuns: soak(6, 300) },
    );
  });

  it("is given a prompt of any length on standard input; one that is too long for an argument is refused", async () => {
    const long = "long ".repeat(60_000);
    assert.equal(await received(onInput[0], long), `<>[${long}]`);
    for (const command of asArgument) {
      await assert.rejects(received(command, long), /too long for an argument .*: leave \{prompt\} out of the command/);
    }
  });

  it("is refused before anything runs where the prompt would be code or would be lost", () => {
    const variable = "agent $" + "{prompt}";
    for (const command of [
      'bash -c "agent {prompt}"',
      "x | agent '{prompt}'",
      "eval agent {prompt}",
      "sh",
      variable,
      ["bash", "-c", "agent {prompt}"],
      ["sh"],
    ]) {
      assert.equal(typeof promptCommandProblem(command), "string", String(command));
    }
    for (const command of [
      ...asArgument,
      ...onInput,
      "claude -p {prompt}",
      'agent "{prompt}" | cat',
      "jq -n '{a: {b: 1}}'",
    ]) {
      assert.equal(promptCommandProblem(command), undefined, String(command));
    }
  });

  it("may be a list in the models file, which no shell reads", async () => {
    const { providers } = parseModels('providers: { a: { command: ["agent", "--x={prompt}", "a b"] } }', "models.yaml");
    assert.deepEqual(providers.a, { command: ["agent", "--x={prompt}", "a b"] });
    for (const bad of ["[]", "['']", "[sh, -c, 'x {prompt}']", "[agent, 3]"]) {
      assert.throws(() => parseModels(`providers: { a: { command: ${bad} } }`, "models.yaml"), /models\.yaml/, bad);
    }
    await assert.rejects(received(["sh", dump, "{prompt}"], "--yes"), /begins with a dash/);
    assert.equal(await received(["sh", dump, "--", "{prompt}"], "--yes"), "<--><--yes>[]");
  });

  it("is given no keys but those that its provider names, and what it prints has none", async (t) => {
    const keys = { SOME_API_KEY: "key-of-another", OWN_API_KEY: "key-of-its-own", PLAIN_NAME: "named-by-a-provider" };
    t.after(() => {
      for (const name of Object.keys(keys)) delete process.env[name];
    });
    Object.assign(process.env, keys);
    const showing =
      'echo "<$SOME_API_KEY><$PLAIN_NAME><$OWN_API_KEY>"; test "$OWN_API_KEY" = key-of-its-own && echo own';
    const { content } = await answer({ command: ["sh", "-c", showing], keys: ["OWN_API_KEY"] }, "", ["PLAIN_NAME"]);
    assert.equal(content, "<><><[key]>\nown");
    const failing = "echo $OWN_API_KEY needs SOME_API_KEY >&2; exit 1";
    await assert.rejects(answer({ command: ["sh", "-c", failing], keys: ["OWN_API_KEY"] }, ""), {
      message:
        "the command failed: exit code 1: [key] needs SOME_API_KEY (it is not given SOME_API_KEY: add keys: [SOME_API_KEY] to its provider)",
    });
  });

  it("that prints more than is kept is marked", async () => {
    const { content, unfinished } = await answer(
      { command: ["sh", "-c", "head -c 9000000 /dev/zero | tr '\\0' x"] },
      "",
    );
    assert.deepEqual([content.length, unfinished], [8 * 1024 * 1024, "overflown"]);
    assert.equal((await answer({ command: ["echo", "short"] }, "")).unfinished, undefined);
  });
});
