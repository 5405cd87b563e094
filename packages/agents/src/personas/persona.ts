import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { readYaml } from "../models/read-yaml.ts";

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
  const { name, title = name, asks = "", role, keywords } = readYaml(found[1], head, place, "its facts");
  const instructions = found[2].trim();
  if (instructions === "") throw new UsageError(`${place}: there are no instructions below the facts`);
  return { name, title, asks, role, keywords, instructions };
}
