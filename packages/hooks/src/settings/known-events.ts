import { isSlip } from "@coppice/engine/files";
import { knownEvents } from "../agent/known-agents.ts";

/** The known event that was probably meant, if the given one is not known but close to it. */
export function similarEvent(event: string): string | undefined {
  if (isKnownEvent(event)) return undefined;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
  return knownEvents.find((known) => isSlip(plain(event), plain(known), known.length < 8 ? 1 : 2));
}

/** Whether it is written like an event. */
export function isEventName(event: string): boolean {
  return /^[A-Z][A-Za-z]+$/.test(event);
}

/** Whether it is an event we have heard of; agents may have others, and those are answered all the same. */
export function isKnownEvent(event: string): boolean {
  return knownEvents.includes(event);
}

/** Why nothing ran for an event that no agent has; undefined where no hooks are nothing to wonder about. */
export function whyNothingRan(event: string, answer: string): string | undefined {
  if (answer !== "{}\n" || isKnownEvent(event)) return undefined;
  const meant = similarEvent(event);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `nothing ran: no settings have hooks for ${event}, which is not an event we know${hint}`;
}
