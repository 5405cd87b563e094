import { buildColumns } from "@coppice/projections/columns";
import { benchSeasons } from "./bench-seasons.ts";
import { type TournamentSize, tournamentTime } from "./tournament-time.ts";

const columns = buildColumns(benchSeasons(process.argv[2]));

process.on("message", async (size: TournamentSize) => {
  const { ms, digest } = await tournamentTime(columns, size);
  process.send?.({ ms, digest });
});
process.send?.("ready");
