import type { Attack } from "./attack.ts";
import { clusterFaults } from "./cluster/attack.ts";
import { editedFiles } from "./edits/attack.ts";
import { fullDisk } from "./full-disk/attack.ts";
import { leavingReaders, stolenLocks } from "./held/attacks.ts";
import { killsAnyTime, killsAtWrites } from "./kills/attacks.ts";
import { powerCuts } from "./power-cuts/attack.ts";
import { stops } from "./stops/attack.ts";
import { versionChanges } from "./versions/attack.ts";

/** Every attack, in the order they are made. */
export const attacks: readonly Attack[] = [
  powerCuts,
  killsAtWrites,
  killsAnyTime,
  fullDisk,
  stolenLocks,
  stops,
  leavingReaders,
  editedFiles,
  versionChanges,
  clusterFaults,
];
