import { type ChildRun, type LiveGroups, runChild } from "@coppice/engine/child-process";
import { ModelError, type ModelRequest } from "../consultation.ts";
import type { CommandProvider } from "../models-file.ts";
import { givePrompt } from "../prompt-command.ts";
import type { Said } from "./chat-protocol.ts";
import type { Attempt, Transport } from "./transport.ts";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Any program that answers a prompt: `claude -p {prompt}`, or one that reads it on standard input. */
export class CommandTransport implements Transport {
  readonly #command: CommandProvider["command"];
  readonly #groups: LiveGroups;

  constructor({ command }: CommandProvider, groups: LiveGroups) {
    this.#command = command;
    this.#groups = groups;
  }

  async send({ request, signal, arrived }: Attempt): Promise<Said> {
    const { command, variables, input } = givePrompt(this.#command, promptText(request));
    const run = await runChild({
      command,
      cwd: process.cwd(),
      env: { ...process.env, ...variables },
      input: Buffer.from(input),
      limits: { outputBytes: MAX_ANSWER_BYTES },
      signal,
      groups: this.#groups,
    });
    signal.throwIfAborted();
    const content = answerOf(run);
    arrived(content.length, content);
    return { content, reasoning: "" };
  }
}

/** The messages as one text; roles are named only where there is more than one question. */
function promptText({ messages }: ModelRequest): string {
  const asked = messages.filter(({ role }) => role !== "system");
  const instructions = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const turns = asked.length === 1 ? [asked[0].content] : asked.map(({ role, content }) => `${role}: ${content}`);
  return [...instructions, ...turns].join("\n\n");
}

function answerOf({ ending, stdout, stderr }: ChildRun): string {
  const content = Buffer.from(stdout.bytes).toString("utf8").trim();
  if (ending.kind === "exited" && ending.code === 0) {
    if (content === "") throw new ModelError("EmptyAnswer", "the command printed nothing");
    return content;
  }
  const last = Buffer.from(stderr.bytes).toString("utf8").trim().split("\n").at(-1) ?? "";
  const how =
    ending.kind === "exited"
      ? `exit code ${ending.code}`
      : ending.kind === "signalled"
        ? ending.signal
        : ending.kind === "timeout"
          ? "timeout"
          : ending.reason;
  throw new ModelError("CommandFailed", `the command failed: ${how}${last === "" ? "" : `: ${last.slice(0, 300)}`}`);
}
