import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { evaluationOf, freshConversation, ideaOf, smallRun, step, taskOf } from "../../test/small-run.ts";
import type { IdeasTask } from "../contract.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { makeNode } from "../evaluate/promotion.ts";
import { layout } from "../run-layout.ts";
import { collectIdeas } from "./collect-ideas.ts";

function ideasOf(run: OpenRun, depth = 0): IdeasTask {
  const { parent, rootBaseline, idea } = evaluationOf(run, ideaOf(run, "old\n"));
  const accepted = { nodeId: "0001", evalId: "0003", idea, rootScore: 0.5, primaryDelta: 0.1 };
  const context = { rootMetrics: { speed: 1 }, chain: [accepted], tried: [] };
  const node = { ...parent, depth, baseline: rootBaseline };
  return { kind: "ideas", node, count: 3, taken: [], context, conversation: freshConversation };
}

test("ideas are the usable markdown files of the folder, by lower-case name; the others are refused with a reason", async () => {
  using repository = new SmallRepository();
  const folder = join(repository.folder, "ideas");
  mkdirSync(join(folder, "folder.md"), { recursive: true });
  const files: Readonly<Record<string, string | Buffer>> = {
    "b.md": "second\n",
    "A.md": "first\n",
    "--x $(touch hacked) ü.md": "odd name\n",
    "empty.md": " \n\n",
    "binary.md": Buffer.from([72, 0, 73]),
    "latin.md": Buffer.from([0x66, 0xfc, 0x72]),
    "huge.md": "x".repeat(300_000),
    "new\nline.md": "text\n",
    "notes.txt": "not an idea",
    ".hidden.md": "not an idea",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  symlinkSync("/nowhere", join(folder, "dangling.md"));
  const run = await smallRun(repository);
  const { ideas, refused } = await collectIdeas(run, ideasOf(run), taskOf());
  assert.deepEqual(
    ideas.map(({ name }) => name),
    ["--x $(touch hacked) ü.md", "A.md", "b.md"],
  );
  assert.equal(readFileSync(join(run.runRoot, ideas[0].path), "utf8"), "odd name\n");
  assert.deepEqual(Object.fromEntries(refused.map(({ name, reason }) => [name, reason])), {
    "binary.md": "it is binary: it holds a zero byte",
    "dangling.md": "it is a link to nothing",
    "empty.md": "it is empty",
    "folder.md": "it is not a regular file",
    "huge.md": "it has 300000 bytes; an idea has at most 262144",
    "latin.md": "it is binary: it is not UTF-8 text",
    "new\nline.md": "its name holds a control character or is not UTF-8",
  });
});

test("a folder may be given per node; only the root's must exist", async () => {
  using repository = new SmallRepository();
  const path = join(repository.folder, "ideas of {node} at {depth}");
  const run = await smallRun(repository, { config: { ideas: { kind: "folder", path } } });
  await assert.rejects(
    collectIdeas(run, ideasOf(run), taskOf()),
    /the idea folder .*ideas of 0000 at 0 does not exist/,
  );
  assert.deepEqual((await collectIdeas(run, ideasOf(run, 1), taskOf())).ideas, []);
  mkdirSync(join(repository.folder, "ideas of 0000 at 1"));
  writeFileSync(join(repository.folder, "ideas of 0000 at 1/x.md"), "x");
  assert.equal((await collectIdeas(run, ideasOf(run, 1), taskOf())).ideas.length, 1);
});

async function generating(repository: SmallRepository, line: string): Promise<OpenRun> {
  const run = await smallRun(repository, { config: { ideas: { kind: "command", step: step(line) } } });
  await makeNode(run, "0000", repository.head, taskOf().signal);
  return run;
}

test("a generator stands in the node's worktree, is told the count and the history, and may say what it spent", async () => {
  using repository = new SmallRepository();
  const run = await generating(
    repository,
    `cat value.txt > {ideas}/2.md; echo {count} > {ideas}/1.md; cp {context} {output}/../seen.json; cp {context} "$TMPDIR/../../context-copy.json"; echo '{"tokens": 12}' > {usage}`,
  );
  const result = await collectIdeas(run, ideasOf(run), taskOf());
  const texts = result.ideas.map(({ path }) => readFileSync(join(run.runRoot, path), "utf8"));
  assert.deepEqual(texts, ["3\n", "1\n"]);
  assert.deepEqual(result.cost, { money: 0, tokens: 12 });
  const context = JSON.parse(readFileSync(join(run.runRoot, layout.nodeContext("0000")), "utf8"));
  assert.deepEqual([context.metrics.speed, context.count, context.chain[0].evalId], [1, 3, "0003"]);
  assert.equal(existsSync(join(run.runRoot, "node_ideas/0000.tmp")), false);
  assert.deepEqual(
    run.belongings.list().map(({ owner }) => owner),
    ["n0000", "n0000"],
  );
});

test("a generator that fails, or writes nothing usable, is a failure; tried again it starts from nothing", async () => {
  using repository = new SmallRepository();
  const flaky = await generating(
    repository,
    "ls {ideas}; test ! -s {ideas}/half.md; if [ -e {repository}/../ok ]; then echo good > {ideas}/a.md; else echo x > {ideas}/half.md; exit 3; fi",
  );
  await assert.rejects(collectIdeas(flaky, ideasOf(flaky), taskOf()), {
    name: "StepFailed",
    message: "ideas ended with exit code 3",
  });
  writeFileSync(join(repository.folder, "ok"), "");
  const { ideas } = await collectIdeas(flaky, ideasOf(flaky), taskOf());
  assert.deepEqual(
    ideas.map(({ name }) => name),
    ["a.md"],
  );
});

test("a generator that ends well without an idea says what was wrong with what it wrote", async () => {
  using repository = new SmallRepository();
  const silent = await generating(repository, "true");
  await assert.rejects(collectIdeas(silent, ideasOf(silent), taskOf()), /wrote no \*\.md file to \{ideas\}/);
  const empty = await smallRun(repository, { config: { ideas: { kind: "command", step: step(": > {ideas}/a.md") } } });
  await assert.rejects(collectIdeas(empty, ideasOf(empty), taskOf()), /nothing usable \("a\.md": it is empty\)/);
});

test("below the root a generator may have no more ideas: the node has none, on record; what cannot be read is no answer", async () => {
  using repository = new SmallRepository();
  const run = await generating(repository, "echo offered nothing");
  const { ideas, refused, conversation } = await collectIdeas(run, ideasOf(run, 1), taskOf());
  assert.deepEqual([ideas, conversation?.turns], [[], []]);
  assert.deepEqual(refused, [{ name: "generator of node 0000", reason: "it ended well and had no idea" }]);
  const torn = await smallRun(repository, {
    config: { ideas: { kind: "command", step: step("echo '{\"reply' > {conversationOut}") } },
  });
  await assert.rejects(
    collectIdeas(torn, ideasOf(torn, 1), taskOf()),
    /nothing readable to \{conversationOut\} \(line 1/,
  );
  const empty = await smallRun(repository, { config: { ideas: { kind: "command", step: step(": > {ideas}/a.md") } } });
  await assert.rejects(collectIdeas(empty, ideasOf(empty, 1), taskOf()), /nothing usable \("a\.md": it is empty\)/);
});

const IDEA = "IDEA: Cache results\\nRATIONALE: slow\\nREQUIRED_CHANGES: all";

test("replies that hold ideas become files NNN_<slug>.md beside those the generator wrote; each idea has its turn", async () => {
  using repository = new SmallRepository();
  const lines = [
    { session_id: "s", prompt: "first", reply: `Well.\n${IDEA.replaceAll("\\n", "\n")}` },
    { prompt: "same again", reply: IDEA.replaceAll("\\n", "\n") },
    { prompt: "plan", reply: "let me think" },
    { reply: "IDEA: half\nRATIONALE: none" },
    { prompt: "own", reply: "done", idea: "zz.md" },
  ].map((line) => JSON.stringify(line));
  writeFileSync(join(repository.folder, "out"), lines.join("\n"));
  const line =
    'cat {repository}/../out > {conversationOut}; echo mine > {ideas}/zz.md; echo silent > {ideas}/yy.md; test -z "$COPPICE_TREE_SESSION_ID"';
  const run = await generating(repository, line);
  const { ideas, refused, conversation } = await collectIdeas(run, ideasOf(run), taskOf());
  assert.deepEqual(
    ideas.map(({ name }) => name),
    ["003_cache_results.md", "004_cache_results.md", "yy.md", "zz.md"],
  );
  assert.deepEqual(refused, [{ name: "reply 4", reason: "it has no REQUIRED_CHANGES:" }]);
  assert.equal(conversation?.sessionId, "s");
  assert.deepEqual(
    conversation?.turns.map(({ prompt, ideaPath }) => [prompt, ideaPath?.replace("node_ideas/0000/", "") ?? null]),
    [
      ["first", "003_cache_results.md"],
      ["same again", "004_cache_results.md"],
      ["plan", null],
      [`3 ideas for node 0000 at depth 0, commit ${repository.head}`, null],
      ["own", "zz.md"],
      [`3 ideas for node 0000 at depth 0, commit ${repository.head}`, "yy.md"],
    ],
  );
});

test("a generator that only prints its ideas is heard too; one that prints chatter wrote nothing", async () => {
  using repository = new SmallRepository();
  const run = await generating(repository, `printf 'Sure:\\n${IDEA}\\n${IDEA.replace("Cache", "Sort")}\\n'`);
  const { ideas, conversation } = await collectIdeas(run, ideasOf(run), taskOf());
  assert.deepEqual(
    ideas.map(({ name }) => name),
    ["001_cache_results.md", "002_sort_results.md"],
  );
  assert.deepEqual(
    conversation?.turns.map(({ ideaPath }) => ideaPath),
    ideas.map(({ path }) => path),
  );
  const half = await smallRun(repository, {
    config: { ideas: { kind: "command", step: step("echo 'IDEA: nothing else'") } },
  });
  await assert.rejects(
    collectIdeas(half, ideasOf(half), taskOf()),
    /nothing usable \("reply 1": it has no RATIONALE: and no REQUIRED_CHANGES:\)/,
  );
});

test("a report that is cut off is kept for people, and the conversation goes on with the ideas alone", async () => {
  using repository = new SmallRepository();
  const run = await generating(
    repository,
    `echo '{"session_id": "s", "repl' > {conversationOut}; echo x > {ideas}/a.md`,
  );
  const { conversation } = await collectIdeas(run, ideasOf(run), taskOf());
  assert.deepEqual(
    [conversation?.sessionId, conversation?.recovered, conversation?.turns.map(({ reply }) => reply)],
    [null, "line 1 is not a JSON object", ["x\n"]],
  );
  const aside = join(run.runRoot, layout.ideasLogs("0000"), "conversation.json.corrupt_1");
  assert.match(readFileSync(aside, "utf8"), /"repl$/m);
});

test("mode native wants a session from every call, and says what to do without one", async () => {
  using repository = new SmallRepository();
  const run = await generating(repository, "echo x > {ideas}/a.md");
  const task = { ...ideasOf(run), conversation: { ...freshConversation, mode: "native" as const } };
  await assert.rejects(collectIdeas(run, task, taskOf()), {
    name: "StepFailed",
    message:
      "the idea generator ended well but wrote no session_id to {conversationOut}: --idea-conversation-mode native needs one, auto does not",
  });
});

test("what a generator is given to remember by: a JSON file, the same as text, and variables", async () => {
  using repository = new SmallRepository();
  const keep =
    'cp {conversationIn} {repository}/../in; cp {conversationText} {repository}/../text; echo "$COPPICE_TREE_CONVERSATION_ID $COPPICE_TREE_SESSION_ID $COPPICE_TREE_MUST_FORK" > {ideas}/a.md';
  const run = await generating(repository, keep);
  const turn = {
    turnId: "c0000.2",
    operationId: "o",
    promptHash: "h",
    prompt: "why?",
    reply: "because",
    ideaPath: null,
    clippedChars: 0,
  };
  const conversation = {
    ...freshConversation,
    ...{ conversationId: "c0003", sessionId: "s 1", mustFork: true, forkedFromTurnId: "c0000.2" },
    ...{ summary: "- c0000.2 because", turns: [turn] },
  };
  const { ideas } = await collectIdeas(run, { ...ideasOf(run), conversation }, taskOf());
  assert.equal(readFileSync(join(run.runRoot, ideas[0].path), "utf8"), "c0003 s 1 1\n");
  const given = JSON.parse(readFileSync(join(repository.folder, "in"), "utf8"));
  assert.deepEqual(
    [given.conversation_id, given.session_id, given.must_fork, given.forked_from_turn_id, given.turns[0].reply],
    ["c0003", "s 1", true, "c0000.2", "because"],
  );
  assert.match(
    readFileSync(join(repository.folder, "text"), "utf8"),
    /^# Conversation c0003, which goes on from turn c0000\.2\n\n## So far\n\n- c0000\.2 because\n\n## Turn c0000\.2\n\nAsked: why\?\n\nbecause\n\n## Now\n\n3 ideas for node 0000/,
  );
});

test("a shell line may resume a session when there is one, and hand on the JSON that its model prints", async () => {
  using repository = new SmallRepository();
  const model = `#!/bin/sh
shift 2
printf '{"session_id": "s2", "reply": "IDEA: asked with %s\\\\nRATIONALE: r\\\\nREQUIRED_CHANGES: c", "tokens": 9}' "\${*:-nothing}"
`;
  writeFileSync(join(repository.folder, "model"), model, { mode: 0o755 });
  const resume = `\${COPPICE_TREE_SESSION_ID:+--resume "$COPPICE_TREE_SESSION_ID"}`;
  const line = `{repository}/../model --json {conversationText} ${resume} > {conversationOut}`;
  const run = await generating(repository, line);
  const asked = async (sessionId: string | null) => {
    const task = { ...ideasOf(run), conversation: { ...freshConversation, sessionId } };
    const { ideas, conversation } = await collectIdeas(run, task, taskOf());
    return [ideas.map(({ name }) => name).join(), conversation?.sessionId];
  };
  assert.deepEqual(await asked(null), ["001_asked_with_nothing.md", "s2"]);
  assert.deepEqual(await asked("a b"), ["001_asked_with_resume_a_b.md", "s2"]);
});
