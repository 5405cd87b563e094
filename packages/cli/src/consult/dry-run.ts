import { type Consultation, chatBody, findModel, type Models } from "@coppice/agents/models";
import { printJson } from "../session/print-json.ts";

/** Prints what would be sent, to the letter, and sends nothing. */
export function printRequests(consultations: readonly Consultation[], models: Models, json: boolean): void {
  const requests = consultations.map(({ label, request }) => {
    const model = findModel(models.file, request.model, models.place);
    const { provider } = model;
    if ("command" in provider) return { label, command: provider.command, messages: request.messages };
    const url = "baseUrl" in provider ? `${provider.baseUrl.replace(/\/$/, "")}/chat/completions` : "the demo";
    return { label, url, body: chatBody(request, model) };
  });
  if (json) {
    printJson({ requests });
    return;
  }
  for (const { label, ...request } of requests) {
    const to = "url" in request ? `POST ${request.url}` : `run ${request.command}`;
    const what = "body" in request ? request.body : request.messages;
    process.stdout.write(`# ${label}\n${to}\n${JSON.stringify(what, null, 2)}\n\n`);
  }
}
