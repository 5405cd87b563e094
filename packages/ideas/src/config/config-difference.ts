/** The innermost field that two configurations do not share, by its name in the file. */
export interface ConfigDifference {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields in which a configuration differs from another, whatever order their fields are in. */
export function configDifferences(from: object, to: object): readonly ConfigDifference[] {
  return differences([], from, to);
}

function differences(path: readonly string[], from: unknown, to: unknown): readonly ConfigDifference[] {
  if (from === to) return [];
  const names = sharedNames(from, to);
  if (names === undefined) return [{ field: path.map(asWritten).join("."), from: from ?? null, to: to ?? null }];
  return names.flatMap((name) =>
    differences([...path, name], Reflect.get(Object(from), name), Reflect.get(Object(to), name)),
  );
}

/** The fields of two records, or of two lists of one length; anything else is compared as a whole. */
function sharedNames(from: unknown, to: unknown): readonly string[] | undefined {
  if (typeof from !== "object" || from === null || typeof to !== "object" || to === null) return undefined;
  const lengths = [from, to].map((value) => (Array.isArray(value) ? value.length : -1));
  return lengths[0] === lengths[1] ? [...new Set([...Object.keys(from), ...Object.keys(to)])] : undefined;
}

/** `maxRounds` as it is written in the file: `max_rounds`. */
function asWritten(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
