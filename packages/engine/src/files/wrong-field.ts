/** A complaint of whatever checks a file's shape, as zod makes them. */
export interface Complaint {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  /** Of something that may have several shapes: what each of them would complain about. */
  readonly errors?: readonly (readonly Complaint[])[];
}

/** The most telling complaint as half a line, `field.name: what was expected`; all of it is called `whole`. */
export function wrongField(complaints: readonly Complaint[], whole = ""): string {
  const { path, message } = telling(complaints[0] ?? { path: [], message: "is not what was expected" });
  const where = path.length === 0 ? whole : path.map(String).join(".");
  return `${where === "" ? "" : `${where}: `}${message.replace(/^Invalid input: /, "")}`;
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
    return { path, message: `expected ${kinds.join(" or ")}` };
  }
  const depth = ([first]: readonly Complaint[]) => telling(first).path.length;
  const [[meant]] = begun.toSorted((a, b) => a.length - b.length || depth(b) - depth(a));
  const inner = telling(meant);
  return { path: [...path, ...inner.path], message: inner.message };
}
