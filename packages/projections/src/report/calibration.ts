import type { ColumnEvaluator } from "../columns/column-evaluator.ts";
import type { Configuration } from "../config/configuration.ts";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { POSITIONS, type Position } from "../seasons/season.ts";

/** Players with similar projections, and what they really scored. A calibrated model has both means equal. */
interface CalibrationBin {
  readonly players: number;
  readonly mean_projected: number;
  readonly mean_actual: number;
}

/** Where a configuration's error comes from on one horizon. */
export interface ErrorProfile {
  /** Tenths of the players by projection, lowest first. */
  readonly calibration: readonly CalibrationBin[];
  readonly mae_by_position: Readonly<Partial<Record<Position, number>>>;
}

const BINS = 10;

/** Looks at a horizon's projections player by player. */
export function errorProfile(evaluator: ColumnEvaluator, horizon: Horizon, config: Configuration): ErrorProfile {
  evaluator.evaluate(horizon, config, "mae");
  const { columns, projected } = evaluator;
  const rows: number[] = [];
  const errors = POSITIONS.map(() => ({ total: 0, count: 0 }));
  columns.header.views.forEach((view, v) => {
    if (view.horizon !== HORIZONS.indexOf(horizon)) return;
    errors.forEach((error, p) => {
      const group = v * POSITIONS.length + p;
      for (let row = columns.groupRows[group]; row < columns.groupRows[group + 1]; row++) {
        rows.push(row);
        error.total += Math.abs(columns.actual[row] - projected[row]);
        error.count++;
      }
    });
  });
  rows.sort((a, b) => projected[a] - projected[b] || a - b);
  const count = Math.min(BINS, rows.length);
  const bins = Array.from({ length: count }, (_, i) => {
    const members = rows.slice(Math.floor((i * rows.length) / count), Math.floor(((i + 1) * rows.length) / count));
    return {
      players: members.length,
      mean_projected: members.reduce((sum, row) => sum + projected[row], 0) / members.length,
      mean_actual: members.reduce((sum, row) => sum + columns.actual[row], 0) / members.length,
    };
  });
  return {
    calibration: bins,
    mae_by_position: Object.fromEntries(
      errors.flatMap(({ total, count }, p) => (count === 0 ? [] : [[POSITIONS[p], total / count]])),
    ),
  };
}
