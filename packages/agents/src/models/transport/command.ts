import { type ChildRun, type LiveGroups, runChild } from "@coppice/engine/child-process";
import { ModelError, type ModelRequest } from "../consultation.ts";
import type { CommandProvider } from "../models-file.ts";
import { givePrompt } from "../prompt-command.ts";
import { claudeCodeAnswer } from "../providers/claude-code.ts";
import { codexAnswer } from "../providers/codex.ts";
import type { ProviderAnswer } from "./chat-protocol.ts";
import { redacted, secretNames, withoutSecrets } from "./secrets.ts";
import type { Attempt, Transport } from "./transport.ts";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** How what a program prints is read. */
const readers: Readonly<Record<NonNullable<CommandProvider["prints"]>, (printed: string) => ProviderAnswer>> = {
  text: (content) => ({ content, reasoning: "" }),
  "claude-json": claudeCodeAnswer,
  "codex-json": codexAnswer,
};

/** Any program that answers a prompt: `claude -p {prompt}`, or one that reads it on standard input. */
export class CommandTransport implements Transport {
  readonly #command: CommandProvider["command"];
  readonly #prints: NonNullable<CommandProvider["prints"]>;
  readonly #secrets: readonly string[];
  readonly #withheld: readonly string[];
  readonly #groups: LiveGroups;

  /** `keyVariables` are those of all providers: a program is given only the keys that its own names. */
  constructor(
    { command, keys = [], prints = "text" }: CommandProvider,
    groups: LiveGroups,
    keyVariables: readonly string[],
  ) {
    this.#command = command;
    this.#prints = prints;
    this.#secrets = secretNames(process.env, [...keyVariables, ...keys]);
    this.#withheld = this.#secrets.filter((name) => !keys.includes(name));
    this.#groups = groups;
  }

  async send({ request, signal, arrived }: Attempt): Promise<ProviderAnswer> {
    const { command, variables, input } = givePrompt(this.#command, promptText(request));
    const run = await runChild({
      command,
      cwd: process.cwd(),
      env: { ...withoutSecrets(process.env, this.#withheld), ...variables },
      input: Buffer.from(input),
      limits: { outputBytes: MAX_ANSWER_BYTES },
      signal,
      groups: this.#groups,
    });
    signal.throwIfAborted();
    const said = readers[this.#prints](this.#redacted(this.#answerOf(run)));
    arrived(said.content.length, said.content);
    const overflown = run.stdout.totalBytes > run.stdout.bytes.length;
    return overflown ? { ...said, unfinished: "overflown" } : said;
  }

  #redacted(text: string): string {
    return redacted(text, process.env, this.#secrets);
  }

  #answerOf({ ending, stdout, stderr }: ChildRun): string {
    const content = Buffer.from(stdout.bytes).toString("utf8").trim();
    if (ending.kind === "exited" && ending.code === 0) {
      if (content === "") throw new ModelError("EmptyAnswer", "the command printed nothing");
      return content;
    }
    const said = this.#redacted(Buffer.from(stderr.bytes).toString("utf8").trim());
    const last = said.split("\n").at(-1) ?? "";
    const how =
      ending.kind === "exited"
        ? `exit code ${ending.code}`
        : ending.kind === "signalled"
          ? ending.signal
          : ending.kind === "timeout"
            ? "timeout"
            : ending.reason;
    const missed = this.#withheld.find((name) => `${said}\n${content}`.includes(name));
    const hint = missed === undefined ? "" : ` (it is not given ${missed}: add keys: [${missed}] to its provider)`;
    throw new ModelError(
      "CommandFailed",
      `the command failed: ${how}${last === "" ? "" : `: ${last.slice(0, 300)}`}${hint}`,
    );
  }
}

/** The messages as one text; roles are named only where there is more than one question. */
function promptText({ messages }: ModelRequest): string {
  const asked = messages.filter(({ role }) => role !== "system");
  const instructions = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const turns = asked.length === 1 ? [asked[0].content] : asked.map(({ role, content }) => `${role}: ${content}`);
  return [...instructions, ...turns].join("\n\n");
}
