import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { declared, hookOf } from "../../test/hook-of.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import type { Hook } from "../settings/hook.ts";
import { describeStaging } from "./describe-staging.ts";
import { normaliseResource } from "./resource.ts";
import { type Staging, stageHooks } from "./stage-hooks.ts";

const roots = { projectDir: "/p", home: "/home/me" };

function stageNames(staging: Staging): readonly (readonly string[])[] {
  return staging.stages.map((stage) => stage.map((index) => staging.hooks[index].name));
}

function stagesOf(...hooks: readonly Hook[]): readonly (readonly string[])[] {
  return stageNames(stageHooks(hooks, roots));
}

describe("staging", () => {
  it("H-05 lets a hook wait for earlier writers of what it reads, and for earlier readers of what it writes", () => {
    const write = declared("write", [], ["s.json"]);
    const read = declared("read", ["s.json"], []);
    const other = declared("other", ["t.json"], []);
    assert.deepEqual(stagesOf(write, read, other), [["write", "other"], ["read"]]);
    assert.deepEqual(stagesOf(read, write, other), [["read", "other"], ["write"]]);
    assert.deepEqual(stagesOf(read, declared("read2", ["s.json"], [])), [["read", "read2"]]);
    assert.deepEqual(stagesOf(write, declared("write2", [], ["s.json"])), [["write"], ["write2"]]);
  });

  it("H-05 runs a hook that declares nothing alone", () => {
    const pure = (name: string) => declared(name, [], []);
    assert.deepEqual(stagesOf(pure("a"), hookOf("b"), pure("c"), pure("d")), [["a"], ["b"], ["c", "d"]]);
  });

  it("H-05 follows `after`, also against the list, and ignores what a hook does to itself", () => {
    const first = declared("first", [], [], ["second"]);
    const second = declared("second", ["x"], ["x"]);
    assert.deepEqual(stagesOf(first, second), [["second"], ["first"]]);
    assert.deepEqual(stagesOf(declared("self", ["x"], ["x"], ["self"])), [["self"]]);
  });

  it("H-05 H-16 names the hooks of a circle and falls back to the list's order", () => {
    const staging = stageHooks(
      [declared("a", [], ["x"], ["c"]), declared("b", ["x"], ["y"]), declared("c", ["y"], []), declared("d", [], [])],
      roots,
    );
    assert.match(staging.serialBecause ?? "", /wait for each other: (a → b → c → a|b → c → a → b|c → a → b → c)/);
    assert.deepEqual(stageNames(staging), [["a"], ["b"], ["c"], ["d"]]);
  });

  it("H-06 tells the project's files from the home's, and knows one file by all its names", () => {
    const name = (text: string) => normaliseResource(text, roots);
    assert.equal(name(".claude/s.json"), "/p/.claude/s.json");
    assert.equal(name("./.claude/../.claude/s.json"), "/p/.claude/s.json");
    assert.equal(name("$CLAUDE_PROJECT_DIR/.claude/s.json"), "/p/.claude/s.json");
    assert.equal(name("~/.claude/s.json"), "/home/me/.claude/s.json");
    assert.equal(name("$HOME/.claude/s.json"), "/home/me/.claude/s.json");
    assert.equal(name("notes/"), "/p/notes/**");
    assert.equal(name(".git/index"), name("git:index"));
    assert.equal(name("session:turn"), "session:turn");
    const writer = declared("writer", [], [".claude/memory/s.json"]);
    assert.equal(stagesOf(writer, declared("home", ["~/.claude/memory/s.json"], [])).length, 1);
    assert.equal(stagesOf(writer, declared("glob", [".claude/**/*.json"], [])).length, 2);
    assert.equal(stagesOf(writer, declared("everything", ["*"], [])).length, 2);
  });

  it("H-06 meets in one file, by whatever name it is called: links, directories, parts of git, sessions", () => {
    using project = new TemporaryProject();
    project.write("state/n", "1\n");
    symlinkSync("state", join(project.dir, "linked"));
    symlinkSync("../state/n", join(project.dir, ".claude", "n"));
    const places = { projectDir: project.dir, home: project.home };
    const meet = (write: string, read: string) =>
      stageHooks([declared("w", [], [write]), declared("r", [read], [])], places).stages.length === 2;
    for (const [write, read] of [
      ["state/n", "linked/n"],
      ["linked/new", "state/new"],
      ["linked/*", "state/n"],
      [".claude/n", "state/n"],
      ["state", "state/n"],
      ["state/n", "state"],
      ["state", "linked/deep/**"],
      [".git/", "git:index"],
      [".git/refs/heads/main", "git:HEAD"],
      [".git/index.lock", "git:index"],
      ["**", "git:index"],
      ["s-{session}.json", "s-4711.json"],
    ])
      assert.ok(meet(write, read), `${write} and ${read}`);
    for (const [write, read] of [
      ["state", "state2/n"],
      ["git:index", "git:HEAD"],
      ["state/n", "linked/m"],
    ])
      assert.ok(!meet(write, read), `${write} and ${read}`);
  });

  it("H-07 puts each hook as early as its conflicts allow, in list order within a stage", () => {
    const hooks = ["c", "a", "b"].map((name) => declared(name, [], []));
    const late = declared("late", ["out"], []);
    assert.deepEqual(stagesOf(hooks[0], declared("w", [], ["out"]), hooks[1], late, hooks[2]), [
      ["c", "w", "a", "b"],
      ["late"],
    ]);
  });

  it("H-07 gives the files of the serial order for any staging and any interleaving", () => {
    const resource = fc.constantFrom("a", "b", "c", "dir/x", "dir/y");
    const touched = fc.record({
      reads: fc.uniqueArray(fc.oneof(resource, fc.constant("dir/*")), { maxLength: 3 }),
      writes: fc.uniqueArray(resource, { maxLength: 2 }),
      undeclared: fc.boolean(),
      slow: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(touched, { maxLength: 9 }), fc.infiniteStream(fc.nat()), (all, choices) => {
        const hooks = all.map(({ reads, writes, undeclared }, i) =>
          undeclared ? hookOf(`h${i}`) : declared(`h${i}`, reads, writes),
        );
        const staging = stageHooks(hooks, roots);
        const serial = new Map<string, string>();
        for (let i = 0; i < all.length; i++) for (const step of steps(i, all[i])) step(serial);
        const files = new Map<string, string>();
        for (const stage of staging.stages) {
          const running = stage.map((index) => steps(index, all[index]));
          while (running.length > 0) {
            const at = (choices.next().value ?? 0) % running.length;
            running[at].shift()?.(files);
            if (running[at].length === 0) running.splice(at, 1);
          }
        }
        assert.deepEqual(files, serial);
      }),
      { numRuns: 300 },
    );
  });

  it("H-08 says which resource each edge is about", () => {
    const staging = stageHooks(
      [
        declared("init", [], [".claude/s.json"]),
        declared("show", [".claude/*.json"], []),
        declared("next", [], [], ["init"]),
        hookOf("mystery"),
      ],
      roots,
    );
    const text = describeStaging(staging, "Stop");
    assert.match(text, /^Stop: 4 hooks in 3 stages\n/);
    assert.match(text, /show waits for init: init writes what show reads, \.claude\/\*\.json \(\.claude\/s\.json\)/);
    assert.match(text, /next waits for init: next declares "after": \["init"\]/);
    assert.match(text, /\n {2}mystery\n {4}declares neither reads nor writes, so it runs alone\n$/);
  });

  it("H-08 says in two lines why 21 hooks of which nothing is known run one by one", () => {
    const hooks = Array.from({ length: 21 }, (_, index) => hookOf(`hook-${index}`));
    const [, why] = describeStaging(stageHooks(hooks, roots), "Stop").split("\nwhy\n");
    assert.match(
      why,
      /^ {2}hook-0, .*\n(?: {2}hook-.*\n)+ {4}declare neither reads nor writes, so each of them runs alone\n$/,
    );
    assert.ok(why.split("\n").length < 6 && why.includes("hook-20"), why);
    const writers = Array.from({ length: 5 }, (_, index) => declared(`w${index}`, [], [`out/${index}`]));
    const [, stop] = describeStaging(stageHooks(writers, roots, "stop"), "Stop").split("\nwhy\n");
    assert.match(stop, /^ {2}w1, w2, w3, w4\n {4}wait for all before, which may block: [^\n]*\n$/);
  });
});

/** A hook as single steps on shared files: reads first, writes of what it read afterwards, as unlocked state files are used. */
function steps(
  index: number,
  { reads, writes, slow }: { reads: readonly string[]; writes: readonly string[]; slow: number },
): ((files: Map<string, string>) => void)[] {
  const seen: string[] = [];
  const all = ["dir/x", "dir/y"];
  return [
    ...reads.map((name) => (files: Map<string, string>) => {
      for (const file of name === "dir/*" ? all : [name]) seen.push(files.get(file) ?? "-");
    }),
    ...Array.from({ length: slow }, () => () => {}),
    ...writes.map((name) => (files: Map<string, string>) => {
      files.set(name, `${index}(${seen.join()})`);
    }),
    () => {},
  ];
}
