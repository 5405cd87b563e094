import { UsageError } from "@coppice/engine";
import { parse } from "yaml";
import { z } from "zod";

const head = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be small letters, digits and hyphens"),
  title: z.string().min(1).optional(),
  /** The one question this persona asks. */
  asks: z.string().min(1).optional(),
  /** An adviser gives opinions; an office (arbiter, recruiter) serves a council and is not asked in batches. */
  role: z.enum(["adviser", "office"]).default("adviser"),
  /** Words in a proposal that call for this persona. */
  keywords: z.array(z.string()).default([]),
});

/** A point of view that a model is asked to take. */
export interface Persona {
  readonly name: string;
  readonly title: string;
  readonly asks: string;
  readonly role: "adviser" | "office";
  readonly keywords: readonly string[];
  /** The system prompt, without the form of the reply. */
  readonly instructions: string;
}

/** Reads a persona file: facts between two lines of `---`, then the instructions in Markdown. */
export function parsePersona(text: string, place: string): Persona {
  const found = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(text);
  if (found === null) throw new UsageError(`${place}: a persona file begins with "---", its facts, and "---"`);
  const checked = head.safeParse(facts(found[1], place));
  if (!checked.success) {
    const [{ path, message }] = checked.error.issues;
    throw new UsageError(`${place}: ${path.length === 0 ? "its facts" : path.join(".")}: ${message}`);
  }
  const instructions = found[2].trim();
  if (instructions === "") throw new UsageError(`${place}: there are no instructions below the facts`);
  const { name, title = name, asks = "", role, keywords } = checked.data;
  return { name, title, asks, role, keywords, instructions };
}

function facts(text: string, place: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${place}: ${(error instanceof Error ? error.message : String(error)).split("\n")[0]}`);
  }
}
