import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { withExample } from "../options/run-options.ts";
import type { InspectOptions } from "./inspect-hooks.ts";
import type { InstallOptions } from "./install-hooks.ts";
import type { ServeOptions } from "./serve-hooks.ts";

type HooksOptions = InspectOptions & InstallOptions & ServeOptions;

/** One command below `coppice hooks`. */
interface HooksCommand {
  readonly name: string;
  readonly summary: string;
  readonly argument?: readonly [name: string, help: string];
  readonly options: readonly OptionRow[];
  readonly example: string;
  /** Loads what it needs only now; resolves to the exit code. */
  readonly run: (options: HooksOptions, event: string) => Promise<number>;
}

const PROJECT: OptionRow = ["--project <dir>", "the project, instead of the current directory"];
const AS_JSON: OptionRow = ["--json", "print JSON"];
const CHANGES: readonly OptionRow[] = [
  ["--scope <scopes>", "user, project or local; several are separated by commas", { usual: "project,local" }],
  PROJECT,
  ["--yes", "make the changes without asking"],
  ["--json", "print the changes as JSON; asks nothing, so changes nothing without --yes"],
];

const COMMANDS: readonly HooksCommand[] = [
  {
    name: "run",
    summary: "answer one event: its JSON on standard input, one JSON object on standard output",
    argument: ["<event>", "for example UserPromptSubmit"],
    options: [
      ["--project <dir>", "the project, instead of $CLAUDE_PROJECT_DIR"],
      ["--concurrency <n>", "the most hooks at once"],
      ["--serial", "one by one, in list order"],
      ["--no-daemon", "do not ask a running daemon"],
      ["--json", "accepted for symmetry: the answer is one JSON object either way"],
    ],
    example: "coppice hooks run UserPromptSubmit < event.json",
    run: async () => {
      const { runHooksRun } = await import("@coppice/hooks/run");
      return await runHooksRun(process.argv.slice(process.argv.indexOf("run") + 1));
    },
  },
  {
    name: "plan",
    summary: "show which hooks of an event run together and why the others wait; runs nothing",
    argument: ["[event]", "all configured events if absent"],
    options: [
      PROJECT,
      ["--for <subject>", "the tool (or source) the event is about, for events with matchers"],
      ["--json", "print the stages as JSON"],
    ],
    example: "coppice hooks plan",
    run: async (options, event) => (await import("./inspect-hooks.ts")).plan(event, options),
  },
  {
    name: "install",
    summary: "replace the configured command hooks with one entry per event; shows the changes first",
    options: [
      ...CHANGES,
      ["--command <program>", "how agents start coppice, instead of a launcher (shared settings) or this installation"],
      ["--trace", "first trace hooks about which nothing is known, so that they may run together; this runs them"],
      [
        "--assume-independent",
        "run hooks about which nothing is known at the same time, as the agent does, races included",
      ],
      ["--rules", "also write a marked section on working in parallel into the agent's instruction file"],
    ],
    example: "coppice hooks install --scope project",
    run: async (options) => (await import("./install-hooks.ts")).install(options),
  },
  {
    name: "uninstall",
    summary: "put the configured hooks back as they were; shows the changes first",
    options: CHANGES,
    example: "coppice hooks uninstall --scope project",
    run: async (options) => (await import("./install-hooks.ts")).uninstall(options),
  },
  {
    name: "trace",
    summary: "run an event's hooks one by one, watch what they read and write, and propose declarations",
    argument: ["<event>", "for example UserPromptSubmit; its hooks really run"],
    options: [
      ["--input <file>", "the event's JSON (- for standard input), instead of a made-up one"],
      ["--for <subject>", "in the made-up input: the prompt, tool or source"],
      ["--no-strace", "compare files before and after instead"],
      ["--write", "put the declarations into the project's coppice-hooks.json"],
      PROJECT,
      AS_JSON,
    ],
    example: "coppice hooks trace UserPromptSubmit",
    run: async (options, event) => (await import("./inspect-hooks.ts")).trace(event, options),
  },
  {
    name: "check",
    summary: "find broken settings and conflicts that are not declared; exit code 1 if there are any",
    options: [PROJECT, AS_JSON],
    example: "coppice hooks check",
    run: async (options) => (await import("./inspect-hooks.ts")).check(options),
  },
  {
    name: "report",
    summary: "show how long the hooks took, what each conflict costs, and what to do about it",
    options: [
      ["--days <n>", "how far back", { usual: "7" }],
      ["--html <file>", "write a page with stages, timelines and the slowest hooks"],
      ["--run <id>", "the event of the timeline, instead of the last ones"],
      [
        "--weekly",
        "for SessionStart: one line, at most once a week, if the option weeklyReport is on; otherwise nothing",
      ],
      PROJECT,
      AS_JSON,
    ],
    example: "coppice hooks report --days 1",
    run: async (options) => (await import("./inspect-hooks.ts")).report(options),
  },
  {
    name: "serve",
    summary: "keep settings, stages and JavaScript or TypeScript hooks loaded; `run` uses it when it is running",
    options: [
      ["--http [port]", "also answer whole events on 127.0.0.1, for agents that post hooks"],
      ["--status", "say whether a daemon is running"],
      ["--stop", "end the running daemon"],
      ["--json", "print one line of JSON: where it listens, or whether it runs"],
    ],
    example: "coppice hooks serve --status",
    run: async (options) => (await import("./serve-hooks.ts")).serve(options),
  },
  {
    name: "suggest-digest",
    summary:
      "a hook for Read: suggests a digest when an agent is about to read more than 1,000 lines, or much in a row",
    options: [],
    example: "coppice hooks suggest-digest < event.json",
    run: async () => {
      const { answerToRead } = await import("@coppice/hooks/suggest-digest");
      // For an agent, which reads JSON.
      process.stdout.write(answerToRead(await text(process.stdin)));
      return 0;
    },
  },
];

/** Adds `coppice hooks …`. */
export function registerHooks(program: Command): void {
  const hooks = program
    .command("hooks")
    .description("run an agent's hooks together, with the result of running them in order");
  for (const { name, summary, argument, options, example, run } of COMMANDS) {
    const command = withExample(hooks.command(name).description(summary), example);
    if (argument !== undefined) command.argument(...argument);
    addOptions(command, options).action(async () => {
      process.exitCode = await run(command.opts<HooksOptions>(), command.args[0]);
    });
  }
}
