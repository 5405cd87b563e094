import { progressLine, type RunEvent, type TableColumn, tableText } from "@coppice/engine";
import type { Round, TournamentNews } from "@coppice/search";
import { createLogUpdate } from "log-update";

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;

export interface TuneDisplayOptions {
  readonly terminal: NodeJS.WriteStream;
  /** Redraw in place; otherwise lines that only get longer. */
  readonly live: boolean;
  /** Say only how parameters ended. */
  readonly quiet: boolean;
  readonly titles: Readonly<Record<string, string>>;
  readonly objective: string;
  /** Configurations of a parameter. */
  readonly configs: number;
  /** How often it is drawn or written. */
  readonly everyMs?: number;
}

/** Follows a tournament: configurations and horizons of the current parameter, and the best of each horizon. */
export class TuneDisplay {
  readonly #options: TuneDisplayOptions;
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #timer: NodeJS.Timeout;
  readonly #best = new Map<string, { readonly value: number | null; readonly from: string }>();
  readonly #columns: readonly TableColumn[];
  #configs = { done: 0, total: 0 };
  #horizons = { done: 0, total: 0 };
  #roundStartedAt = Date.now();

  constructor(options: TuneDisplayOptions) {
    this.#options = options;
    this.#draw = createLogUpdate(options.terminal);
    this.#columns = [{ title: "horizon" }, { title: options.objective }, { title: "found by" }];
    this.#horizons.total = Object.keys(options.titles).length;
    const usual = options.live ? REDRAW_MS : LINE_EVERY_MS;
    this.#timer = setInterval(() => this.#show(), options.everyMs ?? usual);
    this.#timer.unref();
  }

  see(event: RunEvent): void {
    switch (event.type) {
      case "told": {
        const [configs] = event.search.levels ?? [];
        if (configs !== undefined) this.#configs = { done: configs.done, total: configs.total };
        return;
      }
      case "progress":
        // The last horizon of a configuration is the configuration itself.
        this.#horizons.done = event.progress.done % Math.max(1, event.progress.total);
        return;
      case "run-started": {
        const { configs } = this.#options;
        const horizons = this.#horizons.total;
        const { workers, pool } = event.start;
        this.say(
          `${configs} configs × ${horizons} horizons = ${configs * horizons} total evaluations per parameter, on ${workers} ${pool}`,
        );
        return;
      }
      case "note":
        this.say(event.message);
        return;
      case "resumed":
        this.say(`resumed: ${event.plan.reused} results from the journal, ${event.plan.rerun} to evaluate again`);
        return;
      default:
        return;
    }
  }

  news(news: TournamentNews): void {
    switch (news.kind) {
      case "best": {
        const { horizon, testIndex, value } = news.entry;
        const from = `${news.parameter} ${value ?? "-"} (${this.#title(horizon)} test ${testIndex})`;
        this.#best.set(news.forHorizon, { value: news.objective, from });
        if (!this.#options.quiet) this.say(this.#bestLine(news.forHorizon, news.objective, from));
        return;
      }
      case "failed":
        this.say(
          `failed: ${news.parameter} ${news.entry.value ?? "-"} on ${this.#title(news.entry.horizon)}: ${news.message}`,
        );
        return;
      case "round":
        this.#finishRound(news.round);
        return;
      case "pass":
        this.say(`pass ${news.pass + 1} done; settled: ${news.frozen.map((h) => this.#title(h)).join(", ") || "none"}`);
        return;
      default:
        news satisfies never;
    }
  }

  /** Writes a line that stays. */
  say(line: string): void {
    if (this.#options.live) this.#draw.clear();
    this.#options.terminal.write(`${line}\n`);
    if (this.#options.live) this.#show();
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#options.live) this.#draw.clear();
  }

  #finishRound(round: Round): void {
    const count = round.entries.length;
    const took = progressLine([{ name: "Configs", done: count, total: count }], Date.now() - this.#roundStartedAt);
    const adopted = round.adopted.map((horizon) => this.#title(horizon)).join(", ");
    this.say(`${round.parameter}: ${adopted === "" ? "nothing better" : `better for ${adopted}`} | ${took}`);
    this.#roundStartedAt = Date.now();
    this.#horizons.done = 0;
  }

  #show(): void {
    if (this.#configs.total === 0) return;
    const levels = [
      { name: "Configs", ...this.#configs },
      { name: "Horizons", ...this.#horizons },
    ];
    const line = progressLine(levels, Date.now() - this.#roundStartedAt);
    if (!this.#options.live) {
      this.#options.terminal.write(`${line}\n`);
      return;
    }
    const rows = [...this.#best].map(([horizon, { value, from }]) => [
      this.#title(horizon),
      value?.toFixed(4) ?? "-",
      from,
    ]);
    this.#draw(rows.length === 0 ? line : `${line}\n${tableText(this.#columns, rows)}`);
  }

  #bestLine(horizon: string, value: number | null, from: string): string {
    return `new best for ${this.#title(horizon)}: ${this.#options.objective} ${value?.toFixed(4) ?? "-"} by ${from}`;
  }

  #title(horizon: string): string {
    return this.#options.titles[horizon] ?? horizon;
  }
}
