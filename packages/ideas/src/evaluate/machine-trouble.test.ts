import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { soak } from "@coppice/engine/soak";
import type { FullDisk } from "../../test/full-disk-entry.ts";
import { GitError } from "../git/run-git.ts";
import { StepFailed } from "../steps/reported-cost.ts";
import { blame } from "./machine-trouble.ts";

test("a full disk, exhausted handles or memory are the machine's fault; what a step did is its own", () => {
  const named = (error: unknown) => (blame(error, tmpdir()) as Error).name;
  for (const code of ["ENOSPC", "EDQUOT", "EFBIG", "EMFILE"]) {
    assert.equal(named(Object.assign(new Error("x"), { code })), "MachineTrouble");
  }
  assert.equal(named(new GitError(["add"], 128, "fatal: No space left on device")), "MachineTrouble");
  assert.equal(
    named(new GitError(["x"], 128, "Unable to create '/r/.git/packed-refs.lock': File exists.")),
    "MachineTrouble",
  );
  const troubles = [
    "error: index.lock write error. Out of diskspace",
    "fatal: unable to write new index file",
    "error: wrote only 512 of 4096 bytes to file .git/objects/ab",
    "fatal: write error: No space left on device; adding files failed",
    "error: unable to create temporary file: Read-only file system",
    "fatal: bad object HEAD",
    "the folder /r is gone",
    "fatal: bad config line 1 in file .git/config",
    "error: cannot fork() for rev-list: Cannot allocate memory",
    "fatal: mmap failed, check sys.vm.max_map_count and/or RLIMIT_DATA: Cannot allocate memory; adding files failed",
    "ended by SIGKILL",
  ];
  for (const said of troubles) assert.equal(named(new GitError(["add"], 128, said)), "MachineTrouble", said);
  const spoilt = [
    'error: open("secret"): Permission denied\nfatal: adding files failed',
    "fatal: not a git repository",
    "fatal: invalid gitfile format: /r/.coppice/runs/1/cand/0001/.git",
    "the folder /r/.coppice/runs/1/cand/0001 is gone",
    "fatal: failed to encode 'a.txt' from UTF-16 to UTF-8",
    "fatal: a.ipynb: clean filter 'nbstripout' failed",
    "fatal: LF would be replaced by CRLF in a.txt",
    "fatal: bad config line 1 in file .gitmodules",
    "fatal: invalid value for 'submodule.base.update'",
  ];
  for (const said of spoilt) assert.equal(named(new GitError(["add"], 128, said)), "GitError", said);
  const killed = { step: "test", signal: "SIGKILL", outOfMemory: true } as const;
  assert.equal(named(new StepFailed("StepFailed", "test was ended by SIGKILL", killed)), "MachineTrouble");
  // As Node, dash and bash say it, of a user whose limit of processes was reached.
  for (const said of [
    "spawn sh EAGAIN",
    "cc: fatal error: cannot execute ‘cc1’: vfork: Resource temporarily unavailable",
    "sh: 1: Cannot fork",
    "bash: fork: Resource temporarily unavailable",
  ]) {
    const failed = new StepFailed("StepFailed", "test ended with exit code 2", { step: "test", logTail: [said] });
    assert.equal(named(failed), "MachineTrouble", said);
  }
  assert.equal(named(Object.assign(new Error("x"), { code: "ENOENT" })), "Error");
  assert.equal(named(new StepFailed("StepFailed", "test ended with exit code 1", { step: "test" })), "StepFailed");
});

/** In a mount namespace of its own: the disk is gone when the program ends, however that is. */
const WITH_DISK = ["-r", "-m", "sh", "-c", 'mount -t tmpfs -o size=64m tmpfs "$0" && exec "$@"'];
const noDisk =
  spawnSync("unshare", [...WITH_DISK, "/mnt", "true"], { stdio: "ignore" }).status === 0
    ? false
    : "a small disk cannot be mounted here";
const PLACES = soak(2, 12);

test(`a disk that is full at ${PLACES} places: when there is room again, the tree of an undisturbed run`, {
  skip: noDisk,
}, () => {
  const disk = mkdtempSync(join(tmpdir(), "coppice-disk-"));
  const entry = fileURLToPath(new URL("../../test/full-disk-entry.ts", import.meta.url));
  const command = [...WITH_DISK, disk, process.execPath, entry, disk, String(PLACES)];
  const { stdout, stderr, status } = spawnSync("unshare", command, { encoding: "utf8" });
  rmdirSync(disk);
  assert.equal(status, 0, stderr);
  // Cast: written by the entry.
  const [calm, ...full] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as FullDisk);
  assert.equal(full.length, PLACES);
  for (const each of full) {
    assert.match(each.full, /ENOSPC|no space/i);
    assert.equal(each.digest, calm.digest, `${each.roomBytes} bytes free: ${each.full}`);
  }
});
