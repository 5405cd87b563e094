import { type Command, Option } from "commander";
import { addJsonOption, addPlaceOption, RUN, withExamples } from "../options/run-options.ts";
import { addTreeFlags } from "./tree-flags.ts";

/** Adds `coppice tree …`. */
export function registerTree(program: Command): void {
  const tree = program
    .command("tree")
    .description("grow an idea tree: apply ideas to a repository, measure each, promote the best");

  addJsonOption(tree.command("init").description("write a commented coppice.tree.yaml"))
    .argument("[file]", "the file to write", "coppice.tree.yaml")
    .action(async (file, flags) => (await import("./init.ts")).initTree(file, flags));

  addTreeFlags(tree.command("run").description("start a new tree and grow it to its end"))
    .option("--id <name>", "name of the run, instead of the next number")
    .option("--dry-run", "pretend every step: no git, no processes, no network")
    .addOption(new Option("--rerun-evals").hideHelp())
    .addOption(new Option("--force-regenerate-ideas").hideHelp())
    .action(async (flags) => (await import("./run.ts")).runTree(flags));

  addTreeFlags(
    tree
      .command("check")
      .description(
        "try set-up, baseline and one pretended idea, and say what a whole run takes; leaves nothing behind",
      ),
  )
    .option("--agent", "let the agent try one idea, to know its time and price too")
    .action(async (flags) => (await import("./run.ts")).checkBeforehand(flags));

  addTreeFlags(
    tree
      .command("resume")
      .description("continue a tree; flags that only say how to work on it may change")
      .argument("<run>", RUN),
  )
    .option("--dry-run", "not needed: a dry run stays a dry run")
    .option("--rerun-evals", "evaluate the ideas of the current depth once more")
    .option("--force-regenerate-ideas", "ask the generator for more ideas for the current depth, and evaluate them too")
    .option("--force", "also accept flags that change the tree, from the next depth on")
    .action(async (run, flags) => (await import("./resume.ts")).resumeTree(run, flags));

  const reading = (name: string, description: string) =>
    addPlaceOption(addJsonOption(tree.command(name).description(description).argument("<run>", RUN)));
  reading("status", "say how far a tree has grown and what it has left behind, from its journal").action(
    async (run, flags) => (await import("./read.ts")).showStatus(run, flags),
  );
  reading("report", "write the manifest, summary, graph and page again, from the journal").action(async (run, flags) =>
    (await import("./read.ts")).reportTree(run, flags),
  );
  reading("log", "show what the steps of a node or an idea printed")
    .argument("<what>", "a node (0002), an idea (its file), or an evaluation (0007, or e0007)")
    .argument("[step]", "setup, ideas, implement, review, test, sweep or score; all of them if absent")
    .action(async (run, what, step, flags) => (await import("./read.ts")).showLog(run, what, step, flags));
  reading("graph", "print the tree as a Mermaid graph").action(async (run, flags) =>
    (await import("./read.ts")).graphTree(run, flags),
  );
  reading("validate", "check the files, branches and state against the journal").action(async (run, flags) =>
    (await import("./read.ts")).checkTree(run, flags),
  );
  reading("apply", "show what a promoted node changes, and put it into the working tree")
    .argument("[node]", "the node (the best one)")
    .option("--node <id>", "the same as the argument")
    .option("--yes", "apply it: all of it or nothing, not committed")
    .option("--onto <branch>", "instead, put its commits onto this branch, created if it does not exist")
    .option("--merge", "with --onto: as one merge, not commit by commit")
    .action(async (run, node, flags) => (await import("./read.ts")).apply(run, node, flags));
  reading("pr", "make a branch with a node's commits and a description from the record")
    .argument("[node]", "the node (the best one)")
    .option("--branch <name>", "the branch (coppice/<run>-<node>)")
    .option("--base <commit>", "where it begins (what is checked out)")
    .option("--merge", "as one merge, not commit by commit")
    .option("--push [remote]", "push it too (origin); nothing leaves the machine without this")
    .action(async (run, node, flags) => (await import("./read.ts")).branchTree(run, node, flags));
  reading("clean", "remove the worktrees, branches and folders that the run no longer needs")
    .option("--all", "also those of its nodes: everything it made in the repository")
    .action(async (run, flags) => (await import("./read.ts")).clean(run, flags));

  addTreeFlags(
    tree
      .command("verify-parity")
      .description("grow the tree one evaluation at a time and again in parallel, and compare the two"),
  )
    .option("--id <name>", "name of the two runs: <name>-serial and <name>-parallel", "parity")
    .option("--dry-run", "pretend every step: no git, no processes, no network")
    .option("--recorded <run>", "grow this run again from its recorded answers instead: no agent is asked")
    .action(async (flags) => (await import("./run.ts")).verifyParity(flags));

  withExamples(tree, {
    init: "coppice tree init",
    check: "coppice tree check --agent",
    run: "coppice tree run --max-parallel-evals 4 --beam-width 2",
    resume: "coppice tree resume 1 --max-depth 4",
    status: "coppice tree status 1",
    report: "coppice tree report 1",
    log: "coppice tree log 1 e0007 test",
    graph: "coppice tree graph 1 > tree.mmd",
    validate: "coppice tree validate 1",
    apply: "coppice tree apply 1 --yes",
    pr: "coppice tree pr 1 0004",
    clean: "coppice tree clean 1",
    "verify-parity": "coppice tree verify-parity --dry-run --beam-width 3 --max-depth 2 --max-parallel-evals 4",
  });
}
