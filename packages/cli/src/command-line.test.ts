import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { assertRefused, coppice, ended, launch, launchShell, temporaryDirectory } from "../test/coppice.ts";
import { programFor } from "./command-line.ts";
import { commands } from "./commands.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What `--help` of a command prints. */
function helpText(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe("coppice", () => {
  it("lists its commands, with or without --help, and exits with 0", async (t) => {
    const place = temporaryDirectory(t);
    for (const args of [[], ["--help"], ["help"]]) {
      const { code, stdout, stderr } = await coppice(place, args);
      assert.deepEqual([code, stderr], [0, ""]);
      for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^  ${name} `, "m"));
    }
  });

  it("loads only the command that was typed", async () => {
    for (const name of Object.keys(commands)) {
      const program = await programFor([name, "--help"]);
      assert.deepEqual(
        program.commands.map((command) => command.name()),
        [name],
      );
    }
  });

  it("says in one line that the working directory is gone, whatever the command", async (t) => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
    const child = launchShell(temporaryDirectory(t), line, ["runs"], t);
    assertRefused(await ended(child), /the working directory does not exist any more/);
  });

  it("refuses what it does not know in one line", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["rums"]), /^coppice: unknown command 'rums' \(Did you mean runs\?\)/);
    assertRefused(await coppice(place, ["constructor"]), /^coppice: unknown command 'constructor'/);
    assertRefused(await coppice(place, ["--wat"]), /^coppice: unknown option '--wat' \(see "coppice --help"\)\n$/);
    assertRefused(await coppice(place, ["runs", "x"]), /^coppice: too many arguments for 'runs'/);
    assertRefused(
      await coppice(place, ["help", "nope"]),
      /^coppice: unknown command 'nope' \(see "coppice --help"\)\n$/,
    );
    assertRefused(
      await coppice(place, ["flow", "help", "nope"]),
      /^coppice: unknown command 'nope' \(see "coppice flow/,
    );
    assertRefused(await coppice(place, ["flow"]), /^coppice: "coppice flow" needs a command: /);
    assert.deepEqual(readdirSync(place), []);
  });
});

describe("the example in --help", { concurrency: 2 }, () => {
  it("is there for every command of every tool", async () => {
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
    for (const command of leaves(await programFor([]))) {
      assert.match(helpText(command), /\nExample:\n {2}\$ coppice \S/, `coppice … ${command.name()}`);
    }
  });

  it("works, from the repository, each in a process of its own", async (t) => {
    const place = temporaryDirectory(t);
    symlinkSync(join(ROOT, "examples"), join(place, "examples"));
    const type = async (name: string, ...codes: number[]) => {
      const [command] = (await programFor([name])).commands;
      const [, line] = /\n {2}\$ coppice (.*)\n/.exec(helpText(command)) ?? [];
      const { code, stderr } = await ended(launch(place, (line ?? "").split(" "), {}, t));
      assert.ok(codes.includes(code ?? -1), `coppice ${line}: exit code ${code}, ${stderr}`);
    };
    await type("run", 0);
    await type("run", 0);
    await type("runs", 0);
    await type("show", 0);
    await type("resume", 0);
    await type("verify", 0);
    await type("diff", 0);
  });
});
