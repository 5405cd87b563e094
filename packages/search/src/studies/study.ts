import type { Outcome, Proposal, Search } from "@coppice/engine";
import { random } from "@coppice/engine/evaluator";
import { frontsOf } from "../samplers/pareto.ts";
import type { Sampler, Trial } from "../samplers/trial.ts";
import { configurationAt, type Point, placeOf, type SearchSpace } from "../space/search-space.ts";
import type { Configuration } from "../tournament/parameter.ts";
import { type Choice, pointChooser } from "./choose-point.ts";
import { type Goal, readValues, type StudyResult, type TrialRow } from "./study-result.ts";

/** What is tried, for what, and how long. All of it shapes the answer. */
export interface StudyOptions {
  readonly space: SearchSpace;
  readonly goals: readonly Goal[];
  readonly sampler: Sampler;
  /** The most points that are tried. */
  readonly trials: number;
  /** The most points that may be out at once. */
  readonly window: number;
  readonly seed: number;
  /** Points to try before any other. */
  readonly first?: readonly Point[];
  /** What is known before the first ask: trials of earlier runs of the same space. */
  readonly earlier?: readonly EarlierTrial[];
  /** Answers to the first trials, from a run that this one goes on with: these are not asked again. */
  readonly answered?: readonly Answer[];
  /** How often each point is evaluated; a trial's value is the mean. */
  readonly repeats?: number;
  /** Ends after this many trials in a row without a better value. */
  readonly patience?: number;
  /** Ends once the value is at least as good as this. */
  readonly target?: number;
}

/** What became of a trial. */
export type Answer = Pick<TrialRow, "values" | "spread" | "failure">;

/** A trial of an earlier run. */
export interface EarlierTrial extends Pick<TrialRow, "values"> {
  readonly point: Point;
}

/** A trial and what has come back of it. */
interface OwnTrial extends Trial {
  values: readonly number[] | null | undefined;
  readonly configuration: Configuration;
  readonly heard: (readonly number[] | string)[];
  answer: Answer | undefined;
}

/** Tries points that a sampler chooses, and finds the best: an ask/tell search of any space for any sampler. */
export function study(options: StudyOptions): Search<Configuration, unknown, StudyResult> {
  const { space, goals, window, answered = [], repeats = 1, patience, target } = options;
  const signs = goals.map(({ better }) => (better === "lower" ? 1 : -1));
  const signed = (values: readonly number[] | null) => values?.map((value, i) => signs[i] * value) ?? null;
  const stream = random(options.seed).at("study");
  const earlier = (options.earlier ?? []).map(
    ({ point, values }): Trial => ({ point, place: placeOf(space, point), values: signed(values) }),
  );
  const trials: OwnTrial[] = [];
  const known: Trial[] = [...earlier];
  const choose = pointChooser(space, options.sampler, options.first ?? []);
  /** Evaluations of the newest trial that are still to be asked. */
  let repeatsLeft = 0;
  let told = 0;
  let best: number | null = null;
  let lastGain = 0;
  let ended: string | undefined;

  const ask = (): Proposal<Configuration> => {
    for (;;) {
      if (repeatsLeft > 0) return evaluation(trials[trials.length - 1], repeats - repeatsLeft--);
      const made = mayAsk() ? nextTrial() : false;
      if (made && trials.length > answered.length) repeatsLeft = repeats;
      if (made) continue;
      // Nothing more to ask: hear of what is out, from the earlier run first.
      if (told === trials.length) return { kind: "done" };
      if (told >= answered.length) return { kind: "wait" };
      settle(answered[told]);
    }
  };

  const mayAsk = () => {
    if (trials.length >= options.trials)
      ended ??= options.trials === 1 ? "the one trial was made" : `all ${options.trials} trials were made`;
    return ended === undefined && trials.length - told < window;
  };

  const nextTrial = (): boolean => {
    const index = trials.length;
    const chosen: Choice = choose(known, stream.at(index));
    if (chosen.kind === "wait") return false;
    if (chosen.kind === "end") {
      ended = chosen.why;
      return false;
    }
    const { point, place } = chosen;
    const trial: OwnTrial = {
      point,
      place: placeOf(space, point),
      ...(place === undefined ? {} : { chosen: place }),
      values: undefined,
      configuration: configurationAt(space, point),
      heard: [],
      answer: undefined,
    };
    trials.push(trial);
    known.push(trial);
    return true;
  };

  const evaluation = ({ configuration }: OwnTrial, repeat: number): Proposal<Configuration> => {
    const text = JSON.stringify(configuration);
    return { kind: "candidate", candidate: configuration, key: repeats === 1 ? text : `${text} ${repeat + 1}` };
  };

  /** Ends the oldest trial that is out. */
  const settle = (answer: Answer): void => {
    const trial = trials[told];
    trial.answer = answer;
    trial.values = signed(answer.values);
    const value = trial.values?.[0];
    if (value !== undefined && (best === null || value < (trials[best].values?.[0] ?? Number.POSITIVE_INFINITY))) {
      best = told;
      lastGain = told;
    }
    told++;
    if (goals.length > 1) return;
    if (patience !== undefined && told - 1 - lastGain >= patience) ended ??= `no gain in ${patience} trials`;
    // Also when it was among the last: whoever set a target wants to know.
    if (target !== undefined && value !== undefined && value <= signs[0] * target)
      ended = `the target ${target} was reached`;
  };

  return {
    ask,
    tell(outcome: Outcome<unknown>): void {
      while (told < answered.length && told < trials.length) settle(answered[told]);
      const { heard } = trials[told];
      heard.push(outcome.ok ? readValues(outcome.value, goals) : outcome.failure.message);
      if (heard.length === repeats) settle(answerOf(heard));
    },
    result: (): StudyResult => {
      const rows = trials.slice(0, told).map(({ configuration, answer }): TrialRow => {
        const { values = null, spread, failure } = answer ?? {};
        return {
          point: configuration,
          values,
          ...(spread === undefined ? {} : { spread }),
          ...(failure === undefined ? {} : { failure }),
        };
      });
      const failed = rows.filter(({ values }) => values === null).length;
      return {
        trials: rows,
        failed,
        best: goals.length === 1 ? best : null,
        ...(goals.length === 1 ? {} : { front: frontOf(trials.slice(0, told)) }),
        ended: ended ?? "it was ended before",
      };
    },
    progress: () => ({
      levels: [{ name: "Trials", done: told, total: options.trials }],
      ...(best === null || goals.length > 1 ? {} : { best: signs[0] * (trials[best].values?.[0] ?? 0) }),
    }),
  };
}

/** The mean of repeated evaluations; one that failed fails all. */
function answerOf(heard: readonly (readonly number[] | string)[]): Answer {
  const failure = heard.find((each) => typeof each === "string");
  if (failure !== undefined) return { values: null, failure };
  const all = heard.filter((each) => typeof each !== "string");
  if (all.length === 1) return { values: all[0] };
  const over = (f: (own: readonly number[]) => number) => all[0].map((_, i) => f(all.map((values) => values[i])));
  return { values: over(mean), spread: over(deviation) };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function deviation(numbers: readonly number[]): number {
  const middle = mean(numbers);
  return Math.sqrt(numbers.reduce((sum, number) => sum + (number - middle) ** 2, 0) / (numbers.length - 1));
}

function frontOf(trials: readonly Trial[]): readonly number[] {
  const told = trials.flatMap(({ values }, i) => (values === null || values === undefined ? [] : [{ values, i }]));
  const [front = []] = frontsOf(told.map(({ values }) => values));
  return front.map((k) => told[k].i);
}
