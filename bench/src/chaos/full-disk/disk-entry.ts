import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TollCount } from "../attack.ts";
import { journaledKeys, ledgerKeys, leftRunning, startSession, undisturbed, usualOrders } from "../subject/subject.ts";

/** What the attack tells this program, as JSON in its first argument. */
export interface FullDiskOrders {
  /** A small disk of its own. */
  readonly disk: string;
  /** A folder on another disk. */
  readonly place: string;
  readonly tasks: number;
  /** Bytes that are free when a session begins, one run each. */
  readonly rooms: readonly number[];
}

const { disk, place, tasks, rooms } = JSON.parse(process.argv[2] ?? "") as FullDiskOrders;
const pools = ["threads", "inline", "processes"] as const;
const filler = join(disk, "filler");

/** Leaves about that much room: disks give space in blocks. */
function fill(room: number): void {
  const { bavail, bsize } = statfsSync(disk);
  const bytes = Math.max(0, Math.floor((bavail * bsize - room) / bsize) * bsize);
  writeFileSync(filler, Buffer.alloc(bytes, 1));
}

const calm = await undisturbed({ ...usualOrders(join(place, "calm"), tasks), pool: "inline" });
const count = new TollCount();
for (const [run, room] of rooms.entries()) {
  const directory = join(disk, `run-${run}`);
  const ledger = join(place, `run-${run}.ledger`);
  const orders = { ...usualOrders(directory, tasks), ledger, pool: pools[run % pools.length] };
  const where = `run ${run}, ${room} bytes free`;
  fill(room);
  const full = await startSession(orders).ended;
  if (full.how === "failed" && !/ENOSPC|no space/i.test(full.errors))
    count.harm({ wrong: 1 }, `${where}: ${full.errors}`);
  const journaled = journaledKeys(directory);
  const begun = ledgerKeys(ledger).length;
  rmSync(filler);
  if (full.how === "done") count.harm({ wrong: Number(full.digest !== calm) }, where);
  else {
    count.struck();
    const resume = existsSync(join(directory, "run.json"));
    const end = await startSession({ ...orders, resume }).ended;
    if (end.how === "done") count.harm({ wrong: Number(end.digest !== calm) }, where);
    else count.harm({ lost: 1 }, `${where}: ${end.how === "failed" ? end.errors : end.how}`);
    const again = ledgerKeys(ledger)
      .slice(begun)
      .filter((key) => journaled.has(key)).length;
    count.harm({ repeated: again, lost: journaled.difference(journaledKeys(directory)).size }, where);
  }
  count.harm({ left: await leftRunning(directory) }, where);
  rmSync(directory, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify(count.toll()));
