import type { BenchReport } from "./report.ts";

/** What `coppice bench <name>` says to a benchmark. */
export interface BenchOptions {
  /** Measurements of every side; the benchmark's own number if absent. */
  readonly rounds?: number;
  /** Small enough to show within seconds that everything runs; the figures mean little. */
  readonly quick: boolean;
  /** Called with a line per finished part. */
  readonly progress: (line: string) => void;
}

export interface Bench {
  readonly summary: string;
  readonly run: (options: BenchOptions) => Promise<BenchReport>;
}

/** Every benchmark by name. Loaded only when it is run; one line each. */
export const benches: Readonly<Record<string, Bench>> = {
  rates: {
    summary: "scoring rate vectors of a traffic day, and from when on workers pay",
    run: async ({ rounds, quick, progress }) => {
      const { ratesBench } = await import("./rates.ts");
      return ratesBench({ ...given(rounds, quick), ...(quick ? { scale: 0.02 } : {}), progress });
    },
  },
};

/** The rounds that were asked for; otherwise one when quick, else the benchmark's own number. */
function given(rounds: number | undefined, quick: boolean): { rounds?: number } {
  if (rounds !== undefined) return { rounds };
  return quick ? { rounds: 1 } : {};
}
