import { type BinWindow, type Instance, InvalidInput } from "@coppice/airspace";

/** Reads a window: bins `28-42` (the second one excluded) or clock times on bin edges, `07:00-10:30`. */
export function readWindow(text: string, instance: Pick<Instance, "binMinutes" | "binCount">): BinWindow {
  const match = /^(\d+(?::\d\d)?)-(\d+(?::\d\d)?)$/.exec(text.trim());
  if (match === null) throw wrong(text, 'it must be bins like "28-42" or times like "07:00-10:30"');
  const from = readEdge(match[1], text, instance);
  const to = readEdge(match[2], text, instance);
  if (to > instance.binCount) {
    throw wrong(text, `it ends after the day, which has ${instance.binCount} bins of ${instance.binMinutes} minutes`);
  }
  if (to < from) throw wrong(text, "it ends before it begins; a window past midnight must be given as two");
  if (to === from) throw wrong(text, "it is empty; the second bin is not part of the window");
  return [from, to];
}

function readEdge(edge: string, text: string, { binMinutes }: Pick<Instance, "binMinutes">): number {
  if (!edge.includes(":")) return Number(edge);
  const [hour, minute] = edge.split(":").map(Number);
  if (minute > 59 || hour > 24) throw wrong(text, `${edge} is not a time of day`);
  const bin = (hour * 60 + minute) / binMinutes;
  if (!Number.isInteger(bin)) throw wrong(text, `${edge} is not on the edge of a bin of ${binMinutes} minutes`);
  return bin;
}

function wrong(text: string, why: string): InvalidInput {
  return new InvalidInput(`--window ${JSON.stringify(text)}: ${why}`);
}
