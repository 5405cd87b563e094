import { generateSeasons, loadSeasons, type Season } from "@coppice/projections";

/** Real seasons from a folder, or four invented ones of the same size. */
export function benchSeasons(data: string | undefined): readonly Season[] {
  return data === undefined ? generateSeasons(1, ["2101", "2102", "2103", "2104"]) : loadSeasons(data).seasons;
}
