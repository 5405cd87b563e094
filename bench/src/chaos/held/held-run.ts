import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Random } from "@coppice/engine";
import { type AttackedRun, launch } from "@coppice/engine/attacks";
import { readResultFile } from "@coppice/engine/records";
import { commandLine, plainEnvironment, typed } from "../subject/command.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.resolve("@coppice/engine/attacks")));
const SQUARES = fileURLToPath(new URL("../test/modules/squares.ts", import.meta.resolve("coppice")));

/** Runs that stand still after six squares until they are let go; how many squares there are is drawn. */
export class HeldRuns {
  readonly #place: string;
  readonly #draw: Random;
  /** Undisturbed digests by number of squares. */
  readonly #digests = new Map<number, string>();
  #made = 0;

  constructor(place: string, draw: Random) {
    this.#place = place;
    this.#draw = draw;
  }

  /** `coppice run`, as a person types it. */
  async command(): Promise<AttackedRun> {
    const { cwd, held, count, pool, workers } = this.#next();
    const flags = ["--run-dir", "runs", "--workers", String(workers), "--pool", pool];
    const start = (...more: string[]) => ["run", SQUARES, ...flags, "--option", `count=${count}`, ...more];
    const digest = await this.#digest(count, async () => {
      const { stdout, stderr, code } = await typed(cwd, start("--json", "--id", "straight"));
      if (code !== 0) throw new Error(stderr);
      return (JSON.parse(stdout) as { readonly digest: string }).digest;
    });
    writeFileSync(held, "");
    return {
      cwd,
      directory: join(cwd, "runs", "held"),
      start: commandLine(...start("--id", "held", "--option", `heldWhile=${held}`)),
      resume: commandLine("resume", "held", ...flags),
      environment: plainEnvironment() as Readonly<Record<string, string>>,
      letGo: () => rmSync(held),
      digest,
    };
  }

  /** A program of its own, whose lock is given up on after three seconds without a heartbeat. */
  async program(): Promise<AttackedRun> {
    const { cwd, held, count, pool } = this.#next();
    const command = (how: string, name: string) => [
      process.execPath,
      PROGRAM,
      how,
      join(cwd, name),
      pool,
      String(count),
    ];
    const run = {
      cwd,
      directory: join(cwd, "run"),
      start: command("start", "run"),
      resume: command("resume", "run"),
      environment: { LOCK_STALE_MS: "3000", HELD_WHILE: held },
      letGo: () => rmSync(held),
      digest: "",
    };
    const digest = await this.#digest(count, async () => {
      const { code, stderr } = await launch(run, command("start", "straight")).ended;
      if (code !== 0) throw new Error(stderr);
      return readResultFile(join(cwd, "straight"))?.digest ?? "";
    });
    writeFileSync(held, "");
    return { ...run, digest };
  }

  #next() {
    const number = this.#made++;
    const own = this.#draw.at(`run/${number}`);
    const cwd = join(this.#place, String(number));
    mkdirSync(cwd);
    const pool = own.at("pool").uniform() < 0.5 ? "threads" : "processes";
    const count = own.at("count").integer(10, 16);
    return { cwd, held: join(cwd, "held"), count, pool, workers: own.at("workers").integer(1, 3) };
  }

  async #digest(count: number, run: () => Promise<string>): Promise<string> {
    const digest = this.#digests.get(count) ?? (await run());
    this.#digests.set(count, digest);
    return digest;
  }
}
