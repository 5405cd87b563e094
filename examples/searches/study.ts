import { defineRun } from "@coppice/engine";
import { choice, defineSpace, real, samplerNamed, study } from "@coppice/search";

/** Which of two shapes, and where on it: forty points that TPE chooses by what it has seen. */
const space = defineSpace({ shape: choice(["bowl", "cone"]), x: real(-5, 5) });
const goals = [{ name: "height", better: "lower" }] as const;

export default defineRun({
  search: ({ seed }) =>
    study({ space, goals, sampler: samplerNamed("tpe", { space, seed }), trials: 40, window: 4, seed }),
  evaluate: (_state, point) => {
    const { shape, x } = point as { shape: "bowl" | "cone"; x: number };
    return shape === "bowl" ? (x - 2) ** 2 : 1 + Math.abs(x);
  },
  describe: ({ trials, best, ended }) => `${JSON.stringify(trials[best ?? 0]?.point)} (${ended})`,
});
