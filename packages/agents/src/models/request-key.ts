import { createHash } from "node:crypto";
import type { Consultation, ModelRequest } from "./contract.ts";

/** SHA-256 of a request, the same whatever order its fields were written in. */
export function requestHash(request: ModelRequest): string {
  const { model, messages, temperature, maxTokens, effort, json } = request;
  const parts = [
    model,
    messages.map(({ role, content }) => [role, content]),
    temperature ?? null,
    maxTokens ?? null,
    effort ?? null,
    json ?? false,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The key of a consultation in its run: the same request in the same place is never paid for twice. `position` tells
 * apart requests that are meant to be asked several times (the third of ten identical prompts).
 */
export function consultationKey({ label, request }: Consultation, position: number | string): string {
  const hash = createHash("sha256")
    .update(`${position}\n${requestHash(request)}`)
    .digest("hex");
  return `${label} ${hash.slice(0, 16)}`;
}
