import type { Command } from "commander";
import { programFor } from "../src/command-line.ts";

/** Where a command is explained at length. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  ask: ["ask.md"],
  council: ["council.md"],
  digest: ["digest.md"],
  swarm: ["swarm.md"],
  flow: ["flow.md", "flow-rates.md", "plan.md"],
  hooks: ["hooks.md"],
  tree: ["tree.md", "tree-your-own.md"],
  tune: ["tune.md", "tune-your-own.md"],
  studio: ["studio.md"],
  watch: ["watching-runs.md"],
};
const COLUMNS = 100;

const INTRODUCTION = `# Commands

<!-- Written by \`node packages/cli/scripts/write-commands-page.ts\`; a test compares it with what the commands say. -->

From a clone, type \`npx coppice …\`. Every command has \`--help\` with an example that works.

**Exit codes.** 0: done. 1: it was tried and failed (a run that stopped, a goal that was missed, runs that differ).
2: wrong usage; one line on standard error says what and where, and nothing was touched. 130: interrupted; the run can
be resumed, and the command for it is printed.

**Output.** Results go to standard output, everything else (progress, notes, errors) to standard error. With \`--json\`
standard output is one JSON document and nothing else; after wrong usage it is empty. Values that JSON has no form for
are written as in \`result.json\`. \`COPPICE_DEBUG=1\` adds the stack to an error.

**Settings.** What is typed beats the environment, the environment beats a module's own defaults, and those beat
the engine's. The variable of an option is named in its help; a variable that is empty counts as not set, and for a
yes-or-no option \`0\` and \`false\` mean no. Variables are checked exactly like options.

**Times** are \`500ms\`, \`30s\`, \`1.5m\`, \`2h\`; a plain number is seconds.

**Signals.** The first Ctrl-C (or SIGTERM, SIGHUP) ends a run in order: workers are ended, the journal is closed, the
command to resume is printed. The second ends the process at once; the run can still be resumed.

**Runs** are directories in \`.coppice/runs\` (\`--run-dir\`), named by number or \`--id\`. A command that needs a run takes its
id or the path of its directory. What shapes a run's answer (seed, lookahead, retries, timeout, policy, options) is
written down when it starts and cannot be changed by \`resume\`; workers and pool never shape it and can.
`;

const YOUR_OWN = `
The module's default export says what to search and how to evaluate it:

\`\`\`ts
import { defineRun } from "@coppice/engine";

export default defineRun({
  // Names, defaults and types of --option name=value.
  options: { points: 16, city: "Rome" },
  search: ({ seed, options }) => mySearch(seed, options.points),
  // A module of its own, loaded in every worker; or setup and evaluate right here, if loading this module is cheap.
  evaluator: "./my-evaluator.ts",
  context: ({ options }) => ({ city: options.city }),
  // For people; --json prints the result itself.
  describe: (result) => \`best \${result.value}\`,
});
\`\`\`

\`lookahead\`, \`retries\`, \`timeoutMs\` and \`onFailure\` may be given there too, as the module's own defaults. The same seed and
options must make the same search: \`resume\` and \`verify\` build it again. A module that holds its own \`evaluate\` imports
\`defineRun\` from \`@coppice/engine/evaluator\`, which workers load faster.
`;

/** The text of `docs/commands.md`. */
export async function commandsPage(): Promise<string> {
  for (const name of Object.keys(process.env)) if (name.startsWith("COPPICE_")) delete process.env[name];
  const sections = (await programFor([])).commands.flatMap((command) => {
    const name = command.name();
    const own = section("##", name, command, pagesOf(name));
    const parts = command.commands.map((part) => section("###", `${name} ${part.name()}`, part));
    return [name === "run" ? `${own}${YOUR_OWN}` : own, ...parts];
  });
  return [INTRODUCTION, ...sections].join("\n");
}

function section(heading: string, name: string, command: Command, note = ""): string {
  let help = "";
  command.configureOutput({ getOutHelpWidth: () => COLUMNS, writeOut: (text) => (help += text) });
  command.outputHelp();
  return `${heading} coppice ${name}\n\n${note}\`\`\`text\n${help.trim()}\n\`\`\`\n`;
}

function pagesOf(name: string): string {
  const pages = PAGES[name] ?? [];
  return pages.length === 0 ? "" : `Explained in ${pages.map((page) => `[${page}](${page})`).join(", ")}.\n\n`;
}
