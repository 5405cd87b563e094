import { join } from "node:path";
import { inline, processes, start, threads } from "@coppice/engine";
import { type Kill, killAtWrites } from "../kills/kill-at-write.ts";
import { MixingSearch } from "./search.ts";

/** What the harness tells a coordinator, as JSON in its first argument. */
export interface Orders {
  readonly directory: string;
  readonly ledger: string;
  readonly resume: boolean;
  readonly tasks: number;
  readonly pool: "inline" | "threads" | "processes";
  readonly workers: number;
  readonly kills: readonly Kill[];
  readonly timeoutMs?: number;
}

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
killAtWrites(join(orders.directory, "journal.ndjson"), orders.kills);
const pools = { inline: () => inline(), threads, processes };
const run = await start({
  search: new MixingSearch(orders.tasks),
  evaluator: new URL("./evaluator.ts", import.meta.url),
  context: { ledger: orders.ledger },
  pool: pools[orders.pool]({ workers: orders.workers }),
  seed: 7,
  lookahead: 64,
  timeoutMs: orders.timeoutMs ?? 0,
  journal: { directory: orders.directory, resume: orders.resume },
});
const { digest } = await run.finished;
process.stdout.write(digest);
