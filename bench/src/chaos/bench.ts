import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@coppice/engine";
import { UsageError } from "@coppice/engine/usage-error";
import { type AttackFigures, type BenchOptions, type BenchReport, benchReport, goal } from "../report.ts";
import { type Attack, type HarmKind, usualMeasures } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { keepOutOfTheWay } from "./keep-out-of-the-way.ts";

const FAULTS = 520;
const QUICK_FAULTS = 20;
const SEED = 2;

/** Runs attacked in every way we know of: how often, and what was lost, repeated, wrong or left running. */
export async function chaosBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, seed = SEED, progress = () => {} } = options;
  const chosen = options.attacks === undefined ? attacks : named(options.attacks);
  const alone = chosen.length === 1 ? chosen[0].alone : undefined;
  const faults = options.faults ?? (quick ? QUICK_FAULTS : (alone ?? FAULTS));
  const root = mkdtempSync(join(tmpdir(), "coppice-chaos-"));
  const figures: AttackFigures[] = [];
  const endKeeping = keepOutOfTheWay(root);
  try {
    for (const [index, { attack, part }] of parted(chosen, faults).entries()) {
      const place = join(root, String(index));
      mkdirSync(place);
      figures.push(await struck(attack, part, seed, place, progress));
      rmSync(place, { recursive: true, force: true });
    }
  } finally {
    endKeeping();
    rmSync(root, { recursive: true, force: true });
  }
  const sum = (field: "tries" | HarmKind) => figures.reduce((total, attack) => total + (attack[field] ?? 0), 0);
  const goals = [
    ...(chosen.length === attacks.length && !quick
      ? [goal("faults", sum("tries"), "faults", ">=", Math.min(faults, 500))]
      : []),
    goal("lost", sum("lost"), "outcomes or runs", "<=", 0),
    goal("repeated or told twice", sum("repeated"), "evaluations", "<=", 0),
    goal("silently wrong", sum("wrong"), "answers", "<=", 0),
    goal("left running", sum("left"), "processes", "<=", 0),
    ...(figures.some(({ keys }) => keys !== null) ? [goal("left in Redis", sum("keys"), "keys", "<=", 0)] : []),
  ];
  return { ...benchReport("chaos", 1, { faults: { value: sum("tries"), unit: "faults" } }, goals), attacks: figures };
}

async function struck(
  attack: Attack,
  faults: number,
  seed: number,
  place: string,
  progress: (line: string) => void,
): Promise<AttackFigures> {
  const { name, summary, except } = attack;
  const known = { name, summary, ...(except === undefined ? {} : { except }) };
  const skipped = attack.impossible?.();
  if (skipped !== undefined) {
    progress(`${name}: skipped, ${skipped}`);
    return {
      ...known,
      tries: 0,
      lost: null,
      repeated: null,
      wrong: null,
      left: null,
      keys: null,
      problems: [],
      skipped,
    };
  }
  const from = performance.now();
  const toll = await attack.strike({ faults, draw: random(seed).at(name), place, progress });
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  progress(`${name}: ${toll.tries} faults in ${seconds} s, ${toll.problems.length} problems`);
  for (const line of toll.problems) progress(`  ${line}`);
  // Harm that an attack did not look for and met all the same counts.
  const measures = attack.measures ?? usualMeasures;
  const measured = (kind: HarmKind) => (measures.includes(kind) || toll[kind] > 0 ? toll[kind] : null);
  const { tries, problems } = toll;
  const harm = {
    lost: measured("lost"),
    repeated: measured("repeated"),
    wrong: measured("wrong"),
    left: measured("left"),
    keys: measured("keys"),
  };
  return { ...known, tries, ...harm, problems };
}

function named(names: readonly string[]): Attack[] {
  return names.map((wanted) => {
    const found = attacks.find(({ name }) => name === wanted || name.replaceAll(" ", "-") === wanted);
    if (found !== undefined) return found;
    const known = attacks.map(({ name }) => name.replaceAll(" ", "-")).join(", ");
    throw new UsageError(`there is no attack ${wanted}: there are ${known}`);
  });
}

/** Faults divided by the attacks' shares; at least one each. */
function parted(chosen: readonly Attack[], faults: number): { readonly attack: Attack; readonly part: number }[] {
  const whole = chosen.reduce((sum, { share }) => sum + share, 0);
  return chosen.map((attack) => ({ attack, part: Math.max(1, Math.ceil((faults * attack.share) / whole)) }));
}
