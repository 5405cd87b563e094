import type { Command } from "commander";
import { withExamples } from "../options/example.ts";
import type { CheckOptions } from "./check.ts";
import type { InstallOptions } from "./install.ts";
import type { PlanOptions } from "./plan.ts";
import type { ReportOptions } from "./report.ts";
import type { ServeOptions } from "./serve.ts";
import type { TraceOptions } from "./trace.ts";

/** Adds `coppice hooks …`. Each command loads what it needs only when it is called. */
export function registerHooks(program: Command): void {
  const hooks = program
    .command("hooks")
    .description("run an agent's hooks at once, with the result of running them in order");

  hooks
    .command("run")
    .description("answer one event: its JSON on standard input, one JSON object on standard output")
    .argument("<event>", "for example UserPromptSubmit")
    .option("--project <dir>", "the project, instead of $CLAUDE_PROJECT_DIR")
    .option("--concurrency <n>", "the most hooks at once")
    .option("--serial", "one by one, in list order")
    .option("--no-daemon", "do not ask a running daemon")
    .option("--json", "as always: the answer is one JSON object either way")
    .action(async () => {
      const { runHooksRun } = await import("@coppice/hooks/run");
      process.exitCode = await runHooksRun(process.argv.slice(process.argv.indexOf("run") + 1));
    });

  hooks
    .command("plan")
    .description("show the stages of an event and the reason of each edge; runs nothing")
    .argument("[event]", "all configured events if absent")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--for <subject>", "the tool (or source) the event is about, for events with matchers")
    .option("--json", "print the plan as JSON")
    .action(async (event: string | undefined, given: PlanOptions & { for?: string }) => {
      const { printPlan } = await import("./plan.ts");
      const options = { ...given, ...(given.for === undefined ? {} : { subject: given.for }) };
      process.exitCode = await printPlan(event, options);
    });

  hooks
    .command("install")
    .description("let one entry per event stand for the configured command hooks; shows the changes first")
    .option("--scope <scopes>", "user, project, local, or several with commas", "project,local")
    .option("--command <program>", "how agents start coppice, instead of this installation's own files")
    .option("--rules", "also write a marked section on working in parallel into the agent's instruction file")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--yes", "make the changes without asking")
    .option("--json", "print the changes as JSON; asks nothing, so changes nothing without --yes")
    .action(async (options: InstallOptions) => {
      const { install } = await import("./install.ts");
      process.exitCode = await install(options);
    });

  hooks
    .command("uninstall")
    .description("put the configured hooks back as they were; shows the changes first")
    .option("--scope <scopes>", "user, project, local, or several with commas", "project,local")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--yes", "make the changes without asking")
    .option("--json", "print the changes as JSON; asks nothing, so changes nothing without --yes")
    .action(async (options: InstallOptions) => {
      const { uninstall } = await import("./install.ts");
      process.exitCode = await uninstall(options);
    });

  hooks
    .command("trace")
    .description("run an event's hooks one by one, watch what they read and write, and propose declarations")
    .argument("<event>", "for example UserPromptSubmit; its hooks really run")
    .option("--input <file>", "the event's JSON (- for standard input), instead of a made-up one")
    .option("--for <subject>", "in the made-up input: the prompt, tool or source")
    .option("--no-strace", "compare files before and after instead")
    .option("--write", "put the declarations into the project's coppice-hooks.json")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--json", "print JSON")
    .action(async (event: string, options: TraceOptions) => {
      const { trace } = await import("./trace.ts");
      process.exitCode = await trace(event, options);
    });

  hooks
    .command("check")
    .description("find broken settings and conflicts that are not declared; exit code 1 if there are any")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--json", "print JSON")
    .action(async (options: CheckOptions) => {
      const { check } = await import("./check.ts");
      process.exitCode = await check(options);
    });

  hooks
    .command("report")
    .description("what the hooks took: per hook, per event, what each conflict costs, what to do about it")
    .option("--days <n>", "how far back", "7")
    .option("--html <file>", "write a page with the timeline of one event")
    .option("--run <id>", "the event of the timeline, instead of the last one")
    .option("--project <dir>", "the project, instead of the current directory")
    .option("--json", "print JSON")
    .action(async (options: ReportOptions) => {
      const { report } = await import("./report.ts");
      process.exitCode = await report(options);
    });

  hooks
    .command("serve")
    .description("keep settings, plans and JavaScript or TypeScript hooks loaded; `run` uses it when it is there")
    .option("--http [port]", "also answer whole events on 127.0.0.1, for agents that post hooks")
    .option("--status", "say whether a daemon is running")
    .option("--stop", "end the running daemon")
    .option("--json", "print one line of JSON: where it listens, or whether it runs")
    .action(async (options: ServeOptions) => {
      const { serve } = await import("./serve.ts");
      process.exitCode = await serve(options);
    });

  hooks
    .command("suggest-digest")
    .description(
      "a hook for Read: suggests a digest when an agent is about to read more than 1,000 lines, or much in a row",
    )
    .action(async () => {
      const { suggestDigest } = await import("./suggest-digest.ts");
      await suggestDigest(process.stdin);
    });
  withExamples(hooks, {
    run: "coppice hooks run UserPromptSubmit < event.json",
    plan: "coppice hooks plan",
    install: "coppice hooks install --scope project",
    uninstall: "coppice hooks uninstall --scope project",
    trace: "coppice hooks trace UserPromptSubmit",
    check: "coppice hooks check",
    report: "coppice hooks report --days 1",
    serve: "coppice hooks serve --status",
    "suggest-digest": "coppice hooks suggest-digest < event.json",
  });
}
