/** Whether one text becomes the other by changing, adding or leaving out so many letters at most. */
export function isSlip(a: string, b: string, slips: number): boolean {
  if (a === b) return true;
  if (slips === 0 || Math.abs(a.length - b.length) > slips) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  return (
    isSlip(restA.slice(1), restB, slips - 1) ||
    isSlip(restA, restB.slice(1), slips - 1) ||
    isSlip(restA.slice(1), restB.slice(1), slips - 1)
  );
}
