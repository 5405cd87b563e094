/**
 * How long rounds of segments would take on so many workers: each takes the next segment when it is free, and nobody
 * begins a round before the last segment of the one before has ended. Times in any unit, messages not counted.
 */
export function simulatedTime(rounds: readonly (readonly number[])[], workers: number): number {
  return rounds.reduce((sum, segments) => sum + roundTime(segments, workers), 0);
}

function roundTime(segments: readonly number[], workers: number): number {
  const free = new Array<number>(Math.min(workers, Math.max(1, segments.length))).fill(0);
  for (const segment of segments) {
    const next = free.indexOf(Math.min(...free));
    free[next] += segment;
  }
  return Math.max(...free);
}
