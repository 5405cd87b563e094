import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { placesOf } from "../src/settings/scopes.ts";
import { straceWorks } from "../src/trace/strace.ts";
import { traceProject } from "../src/trace/trace-project.ts";
import { TemporaryProject } from "./temporary-project.ts";

const EVENT = "UserPromptSubmit";
/** Where hooks keep what they remember: apart, beside their scripts, and where the name could be a program's. */
const FILES = ["state/a", ".claude/hooks/b", "c.sh"] as const;
/** Ways to read and to write a file, as people write them into their settings. */
const WAYS: readonly ((file: string, other: string) => string)[] = [
  (file) => `cat ${file}`,
  (file) => `echo saw $(cat "$CLAUDE_PROJECT_DIR"/${file})`,
  (file) => `cat < ${file} | tr a b`,
  (file) => `.claude/hooks/show.sh ${file}`,
  (file) => `sh .claude/hooks/show.sh ${file}`,
  (file) => `cd ${file.replace(/[^/]*$/, "")}. && cat ${file.replace(/^.*\//, "")}`,
  (file) => `sleep 0.1; echo x >> ${file}`,
  (file) => `n=$(cat ${file}); sleep 0.1; echo $n+ > ${file}`,
  (file, other) => `.claude/hooks/copy.sh ${file} ${other}`,
  (file, other) => `sleep 0.05; cp ${file} ${other}`,
];

const drawn = fc.array(
  fc
    .tuple(fc.constantFrom(...WAYS), fc.constantFrom(...FILES), fc.constantFrom(...FILES))
    .map(([way, file, other]) => way(file, other)),
  { minLength: 2, maxLength: 5 },
);

/** What a list that was traced leads to in stages, and one by one. */
const sameOnceTraced = fc.asyncProperty(drawn, async (commands) => {
  using project = new TemporaryProject();
  project.write(".claude/hooks/show.sh", '#!/bin/sh\ncat "$1"\n');
  project.write(".claude/hooks/copy.sh", '#!/bin/sh\ntext=$(cat "$1")\nsleep 0.1\necho "$text" > "$2"\n');
  project.configure(
    EVENT,
    commands.map((command) => ({ command })),
    { timing: false },
  );
  const reset = () => {
    for (const file of FILES) project.write(file, `${file}\n`);
  };
  reset();
  const request = { event: EVENT, places: placesOf(project.dir, project.env), env: project.env, subject: undefined };
  const { signal } = new AbortController();
  await traceProject({ ...request, input: undefined, strace: true, write: true, signal });
  const effect = async (serial: boolean) => {
    reset();
    const { exitCode, stdout, stderr } = await project.answer(EVENT, {}, { serial });
    return { exitCode, stdout, stderr, files: FILES.map((file) => project.read(file)) };
  };
  assert.deepEqual(await effect(false), await effect(true));
});

describe("a list that was traced", {
  skip: straceWorks() ? false : "strace is not installed here or may not trace",
}, () => {
  it(`has the result of running it in order: ${soak(8, 300)} drawn lists of commands`, async () => {
    await fc.assert(sameOnceTraced, { numRuns: soak(8, 300), seed: 22 });
  });
});
