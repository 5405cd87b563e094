/** A complaint of whatever checks a file's shape, as zod makes them. */
export interface Complaint {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  /** Of something that may have several shapes: what each of them would complain about. */
  readonly errors?: readonly (readonly Complaint[])[];
}

/** The most telling complaint as half a line, `field.name: what it must be`; all of it is called `whole`. */
export function wrongField(complaints: readonly Complaint[], whole = ""): string {
  const { path, message } = telling(complaints[0] ?? { path: [], message: "is not what was expected" });
  const where = path.length === 0 ? whole : path.map(String).join(".");
  return `${where === "" ? "" : `${where}: `}${plainWords(message.replace(/^Invalid input: /, ""))}`;
}

/** Of several shapes the one with the fewest complaints was meant; where none of them was begun, all are named. */
function telling(complaint: Complaint): Pick<Complaint, "path" | "message"> {
  const { path, errors = [] } = complaint;
  const shapes = errors.filter(([first]) => first !== undefined);
  // A shape that says itself what is expected knows best.
  const saysItself = complaint.message !== "Invalid input";
  if (complaint.code !== "invalid_union" || shapes.length === 0 || saysItself) return complaint;
  const begun = shapes.filter(([first]) => first.code !== "invalid_type" || first.path.length > 0);
  if (begun.length === 0) {
    const kinds = [...new Set(shapes.map(([first]) => String(first.expected)))];
    const isMissing = shapes.every(([first]) => first.message.endsWith(", received undefined"));
    return { path, message: `expected ${kinds.join(" or ")}${isMissing ? ", received undefined" : ""}` };
  }
  const depth = ([first]: readonly Complaint[]) => telling(first).path.length;
  const [[meant]] = begun.toSorted((a, b) => a.length - b.length || depth(b) - depth(a));
  const inner = telling(meant);
  return { path: [...path, ...inner.path], message: inner.message };
}

/** What the kinds of JSON values are called by people. */
const kinds: Readonly<Record<string, string>> = {
  object: "an object { … }",
  record: "an object { … }",
  array: "a list [ … ]",
  tuple: "a list [ … ]",
  string: "a text in quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  undefined: "nothing",
};

/** A complaint of the library that checks shapes, in words for whoever wrote the file. */
function plainWords(complaint: string): string {
  const kind = (names: string): string =>
    names
      .split(" or ")
      .map((name) => kinds[name] ?? name)
      .join(" or ");
  return complaint
    .replace("expected int, received number", "it must be a whole number")
    .replace(/expected (\w+(?: or \w+)*), received (\w+)/, (_, right: string, is: string) =>
      is === "undefined" ? `it is missing; give ${kind(right)}` : `it must be ${kind(right)}, not ${kind(is)}`,
    )
    .replace(/expected (\w+(?: or \w+)*)$/, (_, all: string) => `it must be ${kind(all)}`)
    .replace(/Too small: expected \w+ to be >=?(-?[\d.]+)/, (all, least: string) =>
      all.includes(">=") ? `it must be ${least} or more` : `it must be above ${least}`,
    )
    .replace(/Too big: expected \w+ to be <=?(-?[\d.]+)/, (all, most: string) =>
      all.includes("<=") ? `it must be ${most} or less` : `it must be below ${most}`,
    )
    .replace(
      /Too (?:small|big): expected array to have ([<>])=(\d+) items?/,
      (_, sign: string, count: string) =>
        `it must have ${sign === ">" ? "at least" : "at most"} ${count} ${count === "1" ? "item" : "items"}`,
    )
    .replace(/Too small: expected string to have >=1 characters?/, "it is empty")
    .replace(/expected ("[^"]*")$/, "it must be $1")
    .replace(/Unrecognized keys?: /, "unknown field ")
    .replace(
      /Invalid option: expected one of (.+)$/,
      (_, options: string) => `it must be ${options.replaceAll("|", " or ")}`,
    )
    .replace(
      /Invalid discriminator value\. Expected (.+)$/,
      (_, options: string) => `it must be ${options.replaceAll("'", '"').replaceAll(" | ", " or ")}`,
    )
    .replace(/Invalid ISO datetime/, "it must be a time like 2024-05-01T00:00:00Z")
    .replace(/^Invalid input$/, "it is not what is expected here");
}
