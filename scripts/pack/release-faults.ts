/** What is known of the repository before a release. */
export interface ReleaseState {
  readonly version: string;
  readonly changelog: string;
  /** Files that are not committed as they are. */
  readonly uncommitted: number;
  /** The versions that were released, as git tags them: `v1.2.3`. */
  readonly tags: readonly string[];
}

/** Why this should not be published, a line for each reason. */
export function releaseFaults({ version, changelog, uncommitted, tags }: ReleaseState): string[] {
  const faults: string[] = [];
  if (!VERSION.test(version)) return [`${version} is not a semantic version such as 1.2.3 or 1.2.3-beta.1`];
  if (uncommitted > 0)
    faults.push(`${uncommitted} files are not committed: what is published must be in the repository`);
  if (tags.includes(`v${version}`)) faults.push(`version ${version} is tagged already: raise it in every package.json`);
  const newer = tags.filter((tag) => VERSION.test(tag.slice(1)) && compareVersions(tag.slice(1), version) > 0);
  if (newer.length > 0) faults.push(`${newer.sort().join(", ")} is newer than ${version}`);
  const heading = changelog.split("\n").find((line) => line.startsWith("## "));
  if (
    heading === undefined ||
    !new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`).test(heading)
  ) {
    faults.push(`CHANGELOG.md begins with "${heading ?? ""}": write "## ${version} (year-month-day)"`);
  }
  return faults;
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

/** Negative when `a` comes before `b`; a version with a suffix comes before the same without one. */
export function compareVersions(a: string, b: string): number {
  const [, ...left] = VERSION.exec(a) ?? [];
  const [, ...right] = VERSION.exec(b) ?? [];
  for (let i = 0; i < 3; i++) {
    const difference = Number(left[i]) - Number(right[i]);
    if (difference !== 0) return difference;
  }
  if (left[3] === right[3]) return 0;
  if (left[3] === undefined) return 1;
  if (right[3] === undefined) return -1;
  return compareSuffixes(left[3].split("."), right[3].split("."));
}

/** Part by part: numbers by size and before words; of two that begin alike the shorter comes first. */
function compareSuffixes(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] === b[i]) continue;
    const [x, y] = [a[i], b[i]].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined));
    if (x !== undefined && y !== undefined) return x - y;
    if (x !== undefined) return -1;
    if (y !== undefined) return 1;
    return a[i] < b[i] ? -1 : 1;
  }
  return a.length - b.length;
}
