import { defineEvaluator } from "@coppice/engine/evaluator";

/** How the ball is thrown; the search looks for the angle. */
export interface Throw {
  readonly speedMetresPerSecond: number;
  /** Deceleration by air per metre, at speed 1 m/s: drag = dragPerMetre × speed². */
  readonly dragPerMetre: number;
  readonly headWindMetresPerSecond: number;
}

const GRAVITY = 9.81;
const STEP_SECONDS = 1e-5;

/** How far the ball flies, in metres, by small steps of time: an honest stand-in for an expensive simulation. */
export function flightMetres(
  angleDegrees: number,
  { speedMetresPerSecond, dragPerMetre, headWindMetresPerSecond }: Throw,
): number {
  const angle = (angleDegrees * Math.PI) / 180;
  let x = 0;
  let height = 0;
  let forward = speedMetresPerSecond * Math.cos(angle);
  let upward = speedMetresPerSecond * Math.sin(angle);
  while (height >= 0) {
    const throughAir = forward + headWindMetresPerSecond;
    const drag = dragPerMetre * Math.sqrt(throughAir * throughAir + upward * upward);
    forward -= drag * throughAir * STEP_SECONDS;
    upward -= (GRAVITY + drag * upward) * STEP_SECONDS;
    x += forward * STEP_SECONDS;
    height += upward * STEP_SECONDS;
  }
  // Back to the moment it touched the ground, within the last step: without this the hill has steps.
  return x - forward * (height / upward);
}

export default defineEvaluator({
  setup: (ball: Throw) => ball,
  evaluate: (ball, angleDegrees: number) => flightMetres(angleDegrees, ball),
});
