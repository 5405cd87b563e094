import type { Attack } from "./attack.ts";
import { fullDisk } from "./disk/full-disk.ts";
import { killsAnyTime, killsAtWrites } from "./kills/attacks.ts";
import { versionChanges } from "./versions/attack.ts";

/** Every attack, in the order they are made. */
export const attacks: readonly Attack[] = [killsAtWrites, killsAnyTime, versionChanges, fullDisk];
