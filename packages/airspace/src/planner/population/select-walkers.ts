/**
 * Whose plan each walker goes on with: the better half keep their own, the i-th of the others takes that of the i-th
 * best. Of equal objectives the lower walker is the better one. A walker whose segment was lost has no objective and
 * takes a plan in any case, also where nothing else is handed on. Undefined if all were lost.
 */
export function selectWalkers(objectives: readonly (number | undefined)[], handOn = true): number[] | undefined {
  const ended = objectives.flatMap((objective, walker) => (objective === undefined ? [] : [{ objective, walker }]));
  const lost = [...objectives.keys()].filter((walker) => objectives[walker] === undefined);
  const better = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
  const ranked = ended.toSorted((a, b) => better(a.objective, b.objective) || a.walker - b.walker);
  const order = [...ranked.map(({ walker }) => walker), ...lost];
  const staying = handOn ? Math.min(Math.ceil(order.length / 2), ended.length) : ended.length;
  if (staying === 0) return undefined;
  const goesOnWith = [...objectives.keys()];
  order.slice(staying).forEach((walker, at) => {
    goesOnWith[walker] = order[at % staying];
  });
  return goesOnWith;
}
