import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { TwentyOneHooks } from "../../test/twenty-one.ts";
import { readEventInput } from "../run/event-input.ts";
import { placesOf } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { readStraceLog, straceWorks } from "./strace.ts";
import { type TracedHook, type TraceMethod, traceEvent } from "./trace-event.ts";
import { traceProject, traceText } from "./trace-project.ts";

const skip = straceWorks() ? false : "strace is not installed here or may not trace";

async function trace(
  project: TemporaryProject,
  event: string,
  method: TraceMethod,
  input: object,
): Promise<readonly TracedHook[]> {
  const bytes = Buffer.from(JSON.stringify({ session_id: "s1", cwd: project.dir, ...input }));
  const { staging } = await stageEvent(event, {}, placesOf(project.dir, project.env));
  const surroundings = { cwd: project.dir, projectDir: project.dir, env: project.env };
  return traceEvent(staging, readEventInput(bytes), surroundings, method, new AbortController().signal);
}

const S = ".claude/memory/session_{session}_state.json";
const G = ".claude/memory/confidence_state.json";

describe("tracing with strace", { skip }, () => {
  it("finds the true reads and writes of the 21 hooks, through programs they start, in both directories", async () => {
    using project = new TwentyOneHooks();
    const seen = await trace(project, "UserPromptSubmit", "strace", { prompt: "fix it again" });
    const touched = Object.fromEntries(
      seen.map(({ observation: { hook, reads, writes } }) => [hook, { reads, writes }]),
    );
    assert.deepEqual(touched.confidence_init, { reads: [S], writes: [S] });
    assert.deepEqual(touched.synapse_fire, {
      reads: [".claude/memory/lessons.md", ".claude/memory/synapses.json"],
      writes: [],
    });
    assert.deepEqual(touched.scratch_context, { reads: [".claude/memory/scratch_index.json"], writes: [] });
    assert.deepEqual(touched.pre_advice, { reads: [G], writes: [] });
    assert.deepEqual(touched.detect_low_confidence, { reads: [G], writes: [] });
    assert.deepEqual(touched.detect_confidence_penalty, { reads: [G, S], writes: [G, S] });
    assert.deepEqual(touched.prerequisite_checker, { reads: [`~/${S}`], writes: [] });
    const others = Object.entries(touched).filter(
      ([name]) => !/confidence|synapse|scratch|advice|prerequisite/.test(name),
    );
    assert.equal(others.length, 14);
    for (const [name, found] of others) assert.deepEqual(found, { reads: [], writes: [] }, name);
  });

  it("sees the commit, the index and everything upkeep writes, when the prompt makes the hook do it", async () => {
    using project = new TwentyOneHooks();
    project.write("notes.txt", "changed\n");
    const seen = await trace(project, "UserPromptSubmit", "strace", { prompt: "done" });
    const commit = seen.find(({ observation }) => observation.hook === "auto_commit_on_complete")?.observation;
    for (const resource of [
      "git:HEAD",
      "git:index",
      "git:objects",
      ".claude/memory/scratch_index.json",
      "scratch/old.tmp",
    ]) {
      assert.ok(commit?.writes.includes(resource), `${resource} in ${commit?.writes}`);
    }
    assert.ok(commit?.writes.includes(".claude/memory/upkeep_log.md"));
    for (const resource of ["./*", "git:HEAD", "git:index"])
      assert.ok(commit?.reads.includes(resource), String(commit?.reads));
  });

  it("follows grandchildren, leaves out temporary files and the hook's own code, and knows a removal for a write", async () => {
    using project = new TemporaryProject();
    project.write(
      "hooks/deep.sh",
      '#!/bin/sh\n. ./hooks/lib.sh\nsh -c \'sh -c "cat data.txt >out.tmp; mv out.tmp \\"deep ü.txt\\"; rm gone.txt"\'\n',
    );
    project.write("hooks/lib.sh", "x=1\n");
    project.write("data.txt", "data\n");
    project.write("gone.txt", "gone\n");
    project.configure("Stop", [{ command: "./hooks/deep.sh" }]);
    const [{ observation, ending }] = await trace(project, "Stop", "strace", {});
    assert.deepEqual(ending, { kind: "exited", code: 0 });
    assert.deepEqual(observation.reads, ["data.txt", "gone.txt"]);
    assert.deepEqual(observation.writes, ["deep ü.txt", "gone.txt"]);
    assert.deepEqual(
      observation.files.map((file) => file.slice(project.dir.length + 1)),
      ["hooks/deep.sh", "hooks/lib.sh"],
    );
  });

  it("names a folder of the home directory, and not the project, for a hook whose interpreter reads all over it", async () => {
    using project = new TemporaryProject();
    const names = Array.from({ length: 10 }, (_, index) => join(project.home, `.versions/lib/${index}/code`));
    for (const name of names) project.write(name, "code");
    const listed = `ls ${join(project.home, ".versions/lib")} >list`;
    project.configure("Stop", [{ command: `cat ${names.join(" ")} data.txt >all; ${listed}` }]);
    project.write("data.txt", "data");
    const [{ observation }] = await trace(project, "Stop", "strace", {});
    assert.deepEqual(observation.reads, ["data.txt", "~/.versions/**"]);
    assert.deepEqual(observation.writes, ["all", "list"]);
  });
});

describe("tracing with snapshots", () => {
  it("finds what was written, also by programs the hook starts, and admits that it cannot see reads", async () => {
    using project = new TwentyOneHooks();
    const seen = await trace(project, "UserPromptSubmit", "snapshot", { prompt: "fix it" });
    const touched = Object.fromEntries(
      seen.map(({ observation: { hook, reads, writes } }) => [hook, { reads, writes }]),
    );
    assert.deepEqual(touched.confidence_init, { reads: ["*"], writes: [S] });
    assert.deepEqual(touched.detect_confidence_penalty, { reads: ["*"], writes: [G, S] });
    assert.deepEqual(touched.prerequisite_checker, { reads: ["*"], writes: [] });
  });

  it("proposes nothing for a hook that was not found, with strace and without", async () => {
    using project = new TemporaryProject();
    const missing = ["./gone.sh", "sh gone2.sh", "no-such-program", "no-such-program | cat; exit 127"];
    project.configure("Stop", [{ command: "true" }, ...missing.map((command) => ({ command }))]);
    const places = placesOf(project.dir, project.env);
    const { signal } = new AbortController();
    for (const strace of [true, false]) {
      const asked = { event: "Stop", places, env: project.env, input: undefined, subject: undefined, signal };
      const { declare } = await traceProject({ ...asked, strace, write: false });
      assert.deepEqual(Object.keys(declare), ["Stop/true"]);
    }
  });

  it("proposes nothing for a hook that was cut off, because nobody knows what it would have touched", async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [{ command: "sleep 1000", timeout: 0.02 }, { command: "true" }]);
    const places = placesOf(project.dir, project.env);
    const { signal } = new AbortController();
    const asked = { event: "Stop", places, env: project.env, input: undefined, subject: undefined, signal };
    const traced = await traceProject({ ...asked, strace: false, write: false });
    assert.deepEqual(traced.declare, { "Stop/true": { reads: ["*"], writes: [] } });
    assert.match(
      traceText(traced),
      /^Not watched to the end, so nothing of this run is proposed: sleep\. They run alone, unless/m,
    );
  });
});

describe("reading a log of strace", () => {
  it("resolves names against the directory of the process that used them", () => {
    const log = [
      '10 chdir("/p/a") = 0',
      "10 clone(child_stack=NULL, flags=SIGCHLD) = 11",
      '11 unlink("x") = 0',
      '11 chdir("..") = 0',
      '11 openat(AT_FDCWD</p>, "y\\303\\274", O_RDONLY|O_CLOEXEC <unfinished ...>',
      '10 open("z", O_RDWR|O_CREAT, 0666) = 3</p/a/z>',
      "11 <... openat resumed>) = 3</p/y>",
      '10 openat(4</q>, "w", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5',
      '10 newfstatat(AT_FDCWD</p/a>, "gone", 0x7ff, 0) = -1 ENOENT (No such file or directory)',
      '10 openat(AT_FDCWD</p/a>, "secret", O_RDONLY) = -1 EACCES (Permission denied)',
      '10 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("10.0.0.1")}, 16) = 0',
      '10 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0',
    ];
    const { reads, writes, misses, hosts } = readStraceLog(log.join("\n"), "/p");
    assert.deepEqual([...reads], ["/p/a/z", "/p/yü"]);
    assert.deepEqual([...writes], ["/p/a/x", "/p/a/z", "/q/w"]);
    assert.deepEqual([...misses], ["/p/a/gone"]);
    assert.deepEqual([...hosts], ["10.0.0.1", "::1"]);
  });
});
