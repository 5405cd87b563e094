import { formatValue } from "@coppice/engine/figures";
import type { TunerView } from "@coppice/projections/view";
import type { Tick } from "../chart/plot-area.ts";

/** Where a parameter's values lie on an axis, and what stands there. */
export interface Axis {
  /** Undefined for what is not on the axis. */
  readonly place: (value: string | number | boolean | null) => number | undefined;
  /** The least way between two places, where they can be counted. */
  readonly step?: number;
  /** What is at a place, for people. */
  readonly text: (place: number) => string;
  readonly shown: { readonly ticks?: readonly Tick[]; readonly xText?: (value: number) => string };
}

/** Choices stand beside each other; what is searched on a logarithmic scale is drawn on one. */
export function axisOf({ domain }: TunerView["parameters"][number]): Axis {
  if (domain.kind === "choice") {
    const names = domain.values.map(String);
    const ticks = names.map((text, at) => ({ at, text }));
    const place = (value: string | number | boolean | null) => {
      const found = names.indexOf(String(value));
      return found < 0 ? undefined : found;
    };
    return { place, step: 1, text: (at) => names[Math.round(at)] ?? "", shown: { ticks } };
  }
  const isLog = domain.kind === "real" && domain.log === true;
  const text = (at: number) => formatValue(Number((isLog ? 10 ** at : at).toPrecision(3)));
  return {
    place: (value) => (typeof value !== "number" ? undefined : isLog ? Math.log10(value) : value),
    text,
    ...(domain.kind === "range" ? { step: 10 ** -domain.decimals } : {}),
    shown: { xText: text },
  };
}
