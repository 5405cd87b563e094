import type { Search } from "@coppice/engine";
import { findModel } from "../models/choose-model.ts";
import type { Consultation } from "../models/consultation.ts";
import type { Models } from "../models/models-file.ts";
import type { PromptCommand } from "../models/prompt-command.ts";
import { requestBody } from "../models/transport/chat-protocol.ts";
import { addressOf } from "../models/transport/http.ts";

/** A request as it would be sent, to the letter. */
type SentRequest = { readonly label: string } & (
  | { readonly url: string; readonly body: unknown }
  | { readonly command: PromptCommand; readonly messages: Consultation["request"]["messages"] }
);

/** What a search would send before it has any answer. */
export function firstRequests<Candidate extends object>(
  search: Search<Candidate, never, unknown>,
  models: Models,
): SentRequest[] {
  const requests: SentRequest[] = [];
  for (let next = search.ask(); next.kind === "candidate"; next = search.ask()) {
    if (isConsultation(next.candidate)) requests.push(sent(next.candidate, models));
  }
  return requests;
}

/** Requests for people. */
export function requestsText(requests: readonly SentRequest[]): string {
  return requests
    .map(({ label, ...request }) => {
      const to =
        "url" in request
          ? `POST ${request.url}`
          : `run ${typeof request.command === "string" ? request.command : JSON.stringify(request.command)}`;
      const what = "body" in request ? request.body : request.messages;
      return `# ${label}\n${to}\n${JSON.stringify(what, null, 2)}\n\n`;
    })
    .join("");
}

/** A council also searches code and asks people; that is not sent anywhere. */
function isConsultation(candidate: object): candidate is Consultation {
  return "request" in candidate;
}

function sent({ label, request }: Consultation, { file, place }: Models): SentRequest {
  const model = findModel(file, request.model, place);
  const { provider } = model;
  if ("command" in provider) return { label, command: provider.command, messages: request.messages };
  const url = "baseUrl" in provider ? addressOf(provider).href : "the demo";
  return { label, url, body: requestBody(request, model) };
}
