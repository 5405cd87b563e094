import {
  defaultWeights,
  findHotspots,
  type Instance,
  type Plan,
  type Regulation,
  scoreFromScratch,
} from "@coppice/airspace";
import type { Random } from "@coppice/engine";

/** A plan search's usual steps: of ten, four change a rate, three a window, and one each the flows, a line more, a line less. */
export function neighbours(instance: Instance, plan: Plan, count: number, random: Random): Plan[] {
  const hotspots = findHotspots(instance, scoreFromScratch(instance, [], defaultWeights).hourCount);
  const { binCount } = instance;
  return Array.from({ length: count }, (): Plan => {
    const at = random.integer(0, plan.length - 1);
    const line = plan[at];
    const replaced = (changes: Partial<Regulation>): Plan => plan.with(at, { ...line, ...changes });
    const kind = random.integer(0, 9);
    if (kind < 4) {
      const rate = Math.round(line.ratePerHour * (0.8 + 0.4 * random.uniform()));
      return replaced({ ratePerHour: Math.max(1, rate === line.ratePerHour ? rate + 1 : rate) });
    }
    if (kind < 7) {
      const shift = random.choice([-2, -1, 1, 2]);
      return random.integer(0, 1) === 0
        ? replaced({ fromBin: Math.min(Math.max(0, line.fromBin + shift), line.toBin - 4) })
        : replaced({ toBin: Math.max(line.fromBin + 4, Math.min(binCount, line.toBin + shift)) });
    }
    if (kind === 7) {
      const flows = line.flows ^ (1 << random.integer(0, instance.flowNames[line.volume].length - 1));
      return replaced({ flows: flows === 0 ? line.flows : flows });
    }
    if (kind === 8) {
      const { volume, fromBin, toBin, capacity } = random.choice(hotspots);
      const added = {
        volume,
        fromBin,
        toBin: Math.min(binCount, Math.max(toBin, fromBin + 4)),
        flows: 63,
        ratePerHour: Math.max(1, capacity),
      };
      return plan.toSpliced(random.integer(0, plan.length), 0, added);
    }
    return plan.toSpliced(at, 1);
  });
}
