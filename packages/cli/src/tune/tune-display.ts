import type { RunEvent } from "@coppice/engine";
import { progressLine, type TableColumn, tableText } from "@coppice/engine/display";
import { printable, printableLine } from "@coppice/engine/printable";
import type { RunReader } from "@coppice/engine/session";
import type { PreparedTune } from "@coppice/projections";
import { type TournamentNews, tournamentNews } from "@coppice/search";
import { createLogUpdate } from "log-update";
import { type DisplayOptions, showsLive } from "../display/display.ts";

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;

type Shown = Pick<PreparedTune, "notices" | "titles" | "objective" | "configurations" | "standing">;

/** Follows a tournament: configurations and horizons of the current parameter, and the best of each horizon. */
export class TuneDisplay implements RunReader {
  readonly #tuning: Shown;
  readonly #screen: DisplayOptions;
  /** Redraws in place; otherwise lines that only get longer. */
  readonly #live: boolean;
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #timer: NodeJS.Timeout;
  readonly #best = new Map<string, { readonly value: number | null; readonly from: string }>();
  readonly #columns: readonly TableColumn[];
  #configs: { readonly done: number; readonly total: number };
  /** Which parameter is being tuned. */
  #standing: string;
  #horizons: { done: number; readonly total: number };
  #roundStartedAt = Date.now();

  constructor(tuning: Shown, screen: DisplayOptions) {
    this.#tuning = tuning;
    this.#screen = screen;
    this.#live = showsLive(screen);
    this.#draw = createLogUpdate(screen.terminal);
    this.#columns = ["horizon", tuning.objective, "found by"];
    this.#configs = { done: 0, total: tuning.configurations };
    this.#standing = tuning.standing;
    this.#horizons = { done: 0, total: Object.keys(tuning.titles).length };
    const usual = this.#live ? REDRAW_MS : LINE_EVERY_MS;
    this.#timer = setInterval(() => this.#show(), screen.everyMs ?? usual);
    this.#timer.unref();
    for (const notice of tuning.notices) this.#say(notice);
  }

  see(event: RunEvent): void {
    switch (event.type) {
      case "told": {
        const { says: [standing] = [], levels = [] } = event.search;
        const configs = levels.at(-1);
        if (configs !== undefined) this.#configs = { done: configs.done, total: configs.total };
        for (const news of tournamentNews(event)) this.#tell(news, event.at);
        if (standing !== undefined && standing !== this.#standing) this.#stand(standing);
        return;
      }
      case "progress":
        // The last horizon of a configuration is the configuration itself.
        this.#horizons.done = event.progress.done % Math.max(1, event.progress.total);
        return;
      case "run-started": {
        const { workers, pool } = event.start;
        const configs = this.#tuning.configurations;
        const horizons = this.#horizons.total;
        const size = `${configs} configs × ${horizons} horizons = ${configs * horizons} total evaluations`;
        const per = this.#standing.startsWith("parameter ") ? " per parameter" : "";
        this.#say(`${size}${per}, on ${workers} ${workers === 1 ? pool.replace(/(?<=ss)es$|s$/, "") : pool}`);
        this.#roundStartedAt = event.at;
        this.#stand(this.#standing);
        return;
      }
      case "note":
        this.#say(event.message);
        return;
      case "resumed":
        this.#say(`resumed: ${event.plan.reused} results from the journal, ${event.plan.rerun} to evaluate again`);
        return;
      default:
        return;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#live) this.#draw.clear();
  }

  #tell(news: TournamentNews, at: number): void {
    switch (news.kind) {
      case "best": {
        const value = news.objective;
        const from = this.#place(news);
        this.#best.set(news.forHorizon, { value, from });
        if (this.#screen.quiet) return;
        const best = `${this.#tuning.objective} ${value?.toFixed(4) ?? "-"} by ${from}`;
        this.#say(`new best for ${this.#title(news.forHorizon)}: ${best}`);
        return;
      }
      case "failed": {
        const { horizon, value = "-" } = news.entry;
        this.#say(`failed: ${news.parameter} ${value} on ${this.#title(horizon)}: ${news.message}`);
        return;
      }
      case "round": {
        const { parameter, configurations: count } = news;
        const took = progressLine([{ name: "Configs", done: count, total: count }], at - this.#roundStartedAt);
        const adopted = this.#titles(news.adopted);
        this.#say(`${parameter}: ${adopted === "" ? "nothing better" : `better for ${adopted}`} | ${took}`);
        this.#roundStartedAt = at;
        this.#horizons.done = 0;
        return;
      }
      case "pass":
        this.#say(`pass ${news.pass + 1} done; settled: ${this.#titles(news.frozen) || "none"}`);
        return;
      default:
        news satisfies never;
    }
  }

  /** Another parameter's turn: above the progress line, or as a line that stays. */
  #stand(standing: string): void {
    this.#standing = standing;
    if (!this.#live) this.#say(standing);
  }

  /** Writes a line that stays. */
  #say(line: string): void {
    if (this.#live) this.#draw.clear();
    this.#screen.terminal.write(`${printableLine(line)}\n`);
    if (this.#live) this.#show();
  }

  #show(): void {
    if (this.#configs.total === 0) return;
    const levels = [
      { name: "Configs", ...this.#configs },
      { name: "Horizons", ...this.#horizons },
    ];
    const line = progressLine(levels, Date.now() - this.#roundStartedAt);
    if (!this.#live) {
      this.#screen.terminal.write(`${printableLine(line)}\n`);
      return;
    }
    const rows = [...this.#best].map(([horizon, { value, from }]) => [
      this.#title(horizon),
      value?.toFixed(4) ?? "-",
      from,
    ]);
    const table = rows.length === 0 ? "" : `\n${tableText(this.#columns, rows)}`;
    this.#draw(printable(`${this.#standing}\n${line}${table}`));
  }

  #place({ parameter, entry }: Extract<TournamentNews, { kind: "best" }>): string {
    // A sampler changes all parameters at once: it has no value of its own.
    const value = entry.value === undefined ? "" : ` ${entry.value}`;
    return `${parameter}${value} (${this.#title(entry.horizon)} test ${entry.testIndex})`;
  }

  #titles(horizons: readonly string[]): string {
    return horizons.map((horizon) => this.#title(horizon)).join(", ");
  }

  #title(horizon: string): string {
    return this.#tuning.titles[horizon] ?? horizon;
  }
}
