/** The lines that differ between two texts, with `-` and `+`, and up to `around` equal lines beside them. */
export function lineDiff(before: string, after: string, around = 2): readonly string[] {
  const [a, b] = [before, after].map((text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n")));
  // common[i][j]: length of the longest common sequence of a[i..] and b[j..].
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(`  ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) lines.push(`- ${a[i++]}`);
    else lines.push(`+ ${b[j++]}`);
  }
  const near = (index: number): boolean =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith("  "));
  return lines.flatMap((line, index) => (near(index) ? [line] : index > 0 && near(index - 1) ? ["  …"] : []));
}
