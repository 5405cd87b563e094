import type { PoolJob, PoolListener } from "@coppice/engine/pools";
import type { ChunkSize, CrewSettings } from "@coppice/engine/worker";
import type { ClusterPlace } from "../place/redis-address.ts";
import type { Ending } from "./ending.ts";
import type { RunLine } from "./run-line.ts";
import type { Seats } from "./seats.ts";
import type { TravellingTasks } from "./travelling-task.ts";

/** A run as those see it who do the coordinator's work for it. */
export interface ClusterRun {
  readonly place: ClusterPlace;
  readonly settings: CrewSettings;
  readonly job: PoolJob;
  readonly listener: PoolListener;
  readonly line: RunLine;
  readonly seats: Seats;
  readonly tasks: TravellingTasks;
  readonly chunkSize: ChunkSize;
  readonly ending: Ending;
  /** There is something to send, or room for more. */
  readonly sendSoon: () => void;
}
