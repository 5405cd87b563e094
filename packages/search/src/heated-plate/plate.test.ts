import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heatPlate, PLATE_CELLS } from "./plate.ts";
import { HIDDEN_HEATERS, misfit, readThermometers } from "./thermometers.ts";

describe("a heated plate", () => {
  it("is cold without heaters and at its edges, and warmest at the heater", () => {
    assert.equal(Math.max(...heatPlate([])), 0);
    const plate = heatPlate([{ x: 0.4, y: 0.6, power: 5 }]);
    const cell = (part: number) => Math.round(part * (PLATE_CELLS - 1));
    assert.equal(plate.indexOf(Math.max(...plate)), cell(0.6) * PLATE_CELLS + cell(0.4));
    for (let i = 0; i < PLATE_CELLS; i++) assert.equal(plate[i], 0);
  });

  it("is twice as warm with twice the power, and heaters add up", () => {
    const a = { x: 0.3, y: 0.3, power: 2 };
    const b = { x: 0.7, y: 0.5, power: 3 };
    const [onlyA, onlyB, both] = [heatPlate([a]), heatPlate([b]), heatPlate([a, b])];
    const strong = heatPlate([{ ...a, power: 4 }]);
    for (let i = 0; i < both.length; i += 97) {
      assert.ok(Math.abs(both[i] - onlyA[i] - onlyB[i]) < 1e-9);
      assert.ok(Math.abs(strong[i] - 2 * onlyA[i]) < 1e-9);
    }
  });

  it("is the same in a mirror", () => {
    const left = heatPlate([{ x: 0.25, y: 0.4, power: 3 }]);
    const right = heatPlate([{ x: 0.75, y: 0.4, power: 3 }]);
    for (let row = 0; row < PLATE_CELLS; row++) {
      for (let column = 0; column < PLATE_CELLS; column++) {
        const mirrored = right[row * PLATE_CELLS + PLATE_CELLS - 1 - column];
        assert.ok(Math.abs(left[row * PLATE_CELLS + column] - mirrored) < 1e-9);
      }
    }
  });

  it("fits its own thermometers and no others", () => {
    const measured = readThermometers(heatPlate(HIDDEN_HEATERS));
    assert.equal(misfit(HIDDEN_HEATERS, measured), 0);
    assert.ok(misfit([HIDDEN_HEATERS[0]], measured) > 0.1);
  });
});
