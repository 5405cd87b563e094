import { execFile, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Attack, Toll } from "../attack.ts";
import type { FullDiskOrders } from "./disk-entry.ts";

const ENTRY = fileURLToPath(new URL("./disk-entry.ts", import.meta.url));
const TASKS = 200;
/** What the journal and record of so many tasks take: the result has no room any more. */
const MOST_ROOM = 64 * 1024;
/** In a mount namespace of its own: the disk is gone when the program ends, however that is. */
const WITH_DISK = ["-r", "-m", "sh", "-c", 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"'];

export const fullDisk: Attack = {
  name: "full disks",
  summary: "the disk is full at a random point of a run, and has room again when it is resumed",
  share: 8,
  impossible: () => {
    if (process.platform !== "linux") return "a small disk is made with Linux's tmpfs";
    const { status } = spawnSync("unshare", [...WITH_DISK, "/mnt", "true"], { stdio: "ignore" });
    return status === 0 ? undefined : "a small disk cannot be mounted here";
  },
  strike: async ({ faults, draw, place }) => {
    const disk = join(place, "disk");
    mkdirSync(disk);
    const rooms = Array.from({ length: faults }, (_, run) => draw.at(`run/${run}`).integer(0, MOST_ROOM));
    const orders: FullDiskOrders = { disk, place, tasks: TASKS, rooms };
    const command = [...WITH_DISK, disk, process.execPath, ENTRY, JSON.stringify(orders)];
    const { stdout } = await promisify(execFile)("unshare", command);
    return JSON.parse(stdout) as Toll;
  },
};
