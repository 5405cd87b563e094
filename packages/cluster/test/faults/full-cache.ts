import { spawnSync } from "node:child_process";
import { userEvaluator } from "../user-evaluator.ts";
import type { Fault } from "./faults.ts";

/** A disk of 64 KB in a mount namespace of its own, with 8 KB left; whatever is started there becomes the process. */
const ON_A_FULL_DISK = [
  "unshare",
  "-r",
  "-m",
  "sh",
  "-c",
  'mount -t tmpfs -o size=64k tmpfs /mnt && head -c 57344 /dev/zero > /mnt/filler && exec "$@"',
  "sh",
];
const ARRAY_BYTES = 128 * 1024;

/**
 * The disk under a worker's cache is full: an array that does not fit is used from memory; code that does not fit cannot
 * be, so that this worker leaves the run to the other.
 */
export const fullCache: Fault = {
  name: "the disk of a worker's cache is full",
  impossible: () => {
    const [command, ...args] = [...ON_A_FULL_DISK, "true"];
    return spawnSync(command, args).status === 0 ? undefined : "a small disk cannot be mounted here";
  },
  strike: async (scene) => {
    await scene.replaceWorker(() => scene.addWorker({ COPPICE_TEST_CACHE: "/mnt" }, ON_A_FULL_DISK));
    const worker = scene.workers[scene.workers.length - 1];
    const numbers = new SharedArrayBuffer(ARRAY_BYTES);
    const first = await (await scene.begin({ shared: { numbers } })).ended;
    if (!worker.lines.some((line) => line.includes("ENOSPC"))) {
      throw new Error(`its disk was not full: ${worker.lines.join("; ")}`);
    }
    const own = userEvaluator(ARRAY_BYTES);
    try {
      const second = await (await scene.begin({ evaluator: own.url })).ended;
      if (!worker.lines.some((line) => line.includes("its disk has no room for the evaluator's code"))) {
        throw new Error(`it kept code on a full disk: ${worker.lines.join("; ")}`);
      }
      return [first, second];
    } finally {
      own.remove();
      await scene.replaceWorker(() => scene.addWorker());
    }
  },
};
