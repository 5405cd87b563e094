import fc from "fast-check";
import { checkedSpace } from "../src/space/check-space.ts";
import type { SearchSpace, SpaceParameter } from "../src/space/search-space.ts";
import { nthValue, sizeOf } from "../src/space/unit-scale.ts";
import type { Domain } from "../src/tournament/parameter.ts";

const bounds = (least: number) =>
  fc.tuple(fc.double({ min: least, max: 1e3, noNaN: true }), fc.double({ min: 1e-3, max: 1e3, noNaN: true }));

const domains: fc.Arbitrary<Domain> = fc.oneof(
  bounds(-1e3).map(([min, width]) => ({ kind: "real" as const, min, max: min + width })),
  bounds(1e-6).map(([min, width]) => ({ kind: "real" as const, min, max: min + width, log: true })),
  fc
    .tuple(bounds(-1e3), fc.integer({ min: 1, max: 40 }))
    .map(([[min, width], parts]) => ({ kind: "real" as const, min, max: min + width, step: width / parts })),
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100 }))
    .map(([min, width]) => ({ kind: "real" as const, min, max: min + width, step: 1, log: true })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 }))
    .map(([min, width, decimals]) => ({ kind: "range" as const, min, max: min + width, decimals })),
  fc
    .integer({ min: 1, max: 5 })
    .map((n) => ({ kind: "choice" as const, values: ["a", "b", "c", "d", "e"].slice(0, n) })),
  fc.constant({ kind: "choice" as const, values: [false, true] }),
);

/** A space of one to six parameters of every kind; some exist only while an earlier one has its first value. */
export function arbitrarySpace(): fc.Arbitrary<SearchSpace> {
  const parts = fc.array(fc.tuple(domains, fc.nat({ max: 11 })), { minLength: 1, maxLength: 6 });
  return parts.map((drawn) => {
    const parameters = drawn.map(([domain, other], i): SpaceParameter => {
      const parent = drawn[other]?.[0];
      const conditional = other < i && parent !== undefined && Number.isFinite(sizeOf(parent));
      const when = conditional ? { when: [{ parameter: `p${other}`, values: [nthValue(parent, 0)] }] } : {};
      return { name: `p${i}`, path: [`p${i}`], domain, ...when };
    });
    return checkedSpace("drawn", parameters);
  });
}
