/** Lets nobody go on before `count` have arrived: whoever comes one by one never gets through. */
export function gathering(count: number): () => Promise<void> {
  const complete = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    if (++arrived === count) complete.resolve();
    return complete.promise;
  };
}
