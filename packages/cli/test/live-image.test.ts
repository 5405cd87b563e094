import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { random } from "@coppice/engine";
import { onlyInSoak, soak } from "@coppice/engine/soak";
import { coppice, document, ended, journaled, launch, SQUARES, temporaryDirectory } from "./coppice.ts";

const MEGABYTES = 24;

/** Whether a command went well; its words if not. */
function said(command: string, ...args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Mounts a file system that is kept in a file; its words if that is not permitted. */
function mounted(t: TestContext, image: string, place: string): string | undefined {
  mkdirSync(place);
  const why = said("mount", "-o", "loop", image, place);
  if (why === undefined) t.after(() => said("umount", "--lazy", place));
  return why;
}

describe("a real power cut", onlyInSoak(), () => {
  it("of a disk whose image is copied while a run writes to it loses no run", async (t) => {
    const cuts = soak(0, 40);
    for (let cut = 0; cut < cuts; cut++) {
      const place = temporaryDirectory(t);
      const image = join(place, "image");
      const why =
        said("truncate", "--size", `${MEGABYTES}M`, image) ??
        said("mkfs.ext4", "-q", image) ??
        mounted(t, image, join(place, "disk"));
      if (why !== undefined) return t.skip(`no file system can be made and mounted here: ${why}`);
      const disk = join(place, "disk");
      const options = ["--option", "delayMs=5", "--option", "count=300", "--workers", "1"];
      const durable = cut % 2 === 0 ? [] : ["--durable"];
      const child = launch(disk, ["run", SQUARES, "--id", "r", "--quiet", ...options, ...durable], {}, t);
      const over = ended(child);
      await journaled(join(disk, ".coppice", "runs", "r"), 1);
      await wait(random(5).at(`cut/${cut}`).integer(0, 1500));
      // What the disk has by now, and nothing that is only in memory.
      child.kill("SIGSTOP");
      copyFileSync(image, join(place, "copy"));
      child.kill("SIGKILL");
      await over;
      assert.equal(said("umount", disk), undefined);
      assert.equal(mounted(t, join(place, "copy"), join(place, "after")), undefined);
      const after = join(place, "after");
      const { digest } = document(await coppice(after, ["resume", "r", "--json", "--quiet", "--pool", "inline"]));
      const calm = await coppice(place, [
        "run",
        SQUARES,
        "--json",
        "--quiet",
        "--pool",
        "inline",
        ...options.slice(2, 4),
      ]);
      assert.equal(digest, document(calm).digest, `cut ${cut}`);
      assert.equal(said("umount", after), undefined);
    }
    t.diagnostic(`${cuts} cuts`);
  });
});
