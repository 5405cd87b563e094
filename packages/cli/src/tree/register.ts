import { type Command, Option } from "commander";
import { addJsonOption, addPlaceOption, withExamples } from "../options/run-options.ts";
import { addTreeFlags } from "./tree-flags.ts";

/** Adds `coppice tree …`. */
export function registerTree(program: Command): void {
  const tree = program
    .command("tree")
    .description("grow an idea tree: apply ideas to a repository, measure each, promote the best");

  addJsonOption(tree.command("init").description("write a commented coppice.tree.yaml"))
    .argument("[file]", "where to", "coppice.tree.yaml")
    .action(async (file, flags) => (await import("./init.ts")).initTree(file, flags));

  addTreeFlags(tree.command("run").description("start a new tree and grow it to its end"))
    .option("--id <name>", "name of the run, instead of the next number")
    .option("--dry-run", "pretend every step: no git, no processes, no network")
    .addOption(new Option("--rerun-evals").hideHelp())
    .addOption(new Option("--force-regenerate-ideas").hideHelp())
    .action(async (flags) => (await import("./run.ts")).runTree(flags));

  addTreeFlags(
    tree.command("resume").description("continue a tree; flags about how it is worked on may be new").argument("<run>"),
  )
    .option("--dry-run", "only says what a dry run remembers by itself")
    .option("--rerun-evals", "evaluate the ideas of the depth at hand once more")
    .option(
      "--force-regenerate-ideas",
      "ask the generator for other ideas for the depth at hand, and evaluate them too",
    )
    .option("--force", "also take flags that change the tree, from the next depth on")
    .action(async (run, flags) => (await import("./resume.ts")).resumeTree(run, flags));

  const reading = (name: string, description: string) =>
    addPlaceOption(addJsonOption(tree.command(name).description(description).argument("<run>")));
  reading("status", "how far a tree is, from its journal, and what it has left behind").action(async (run, flags) =>
    (await import("./read.ts")).showStatus(run, flags),
  );
  reading("report", "write manifest, summary, graph and page again, from the journal").action(async (run, flags) =>
    (await import("./read.ts")).reportTree(run, flags),
  );
  reading("graph", "print the tree as a Mermaid graph").action(async (run, flags) =>
    (await import("./read.ts")).graphTree(run, flags),
  );
  reading("validate", "check files, branches and state against the journal").action(async (run, flags) =>
    (await import("./read.ts")).checkTree(run, flags),
  );
  reading("clean", "remove worktrees, branches and folders that the run does not need")
    .option("--all", "also those of its nodes: everything it ever made in the repository")
    .action(async (run, flags) => (await import("./read.ts")).clean(run, flags));

  addTreeFlags(
    tree.command("verify-parity").description("grow the tree one by one and again in parallel, and compare the two"),
  )
    .option("--id <name>", "of the two runs: <name>-serial and <name>-parallel", "parity")
    .option("--dry-run", "pretend every step: no git, no processes, no network")
    .action(async (flags) => (await import("./run.ts")).verifyParity(flags));

  withExamples(tree, {
    init: "coppice tree init",
    run: "coppice tree run --max-parallel-evals 4 --beam-width 2",
    resume: "coppice tree resume 1 --max-depth 4",
    status: "coppice tree status 1",
    report: "coppice tree report 1",
    graph: "coppice tree graph 1 > tree.mmd",
    validate: "coppice tree validate 1",
    clean: "coppice tree clean 1",
    "verify-parity": "coppice tree verify-parity --dry-run --beam-width 3 --max-depth 2 --max-parallel-evals 4",
  });
}
