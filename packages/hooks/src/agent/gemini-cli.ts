import type { AgentFormat } from "./agent-format.ts";

/**
 * Gemini CLI, by its page "Hooks reference". Not here: `BeforeToolSelection`, whose answers the agent joins in a way of its
 * own (lists of tools are united), and the two events of single model requests, which come for every part of an answer.
 */
export const geminiCli: AgentFormat = {
  name: "Gemini CLI",
  projectVariable: "GEMINI_PROJECT_DIR",
  folder: ".gemini",
  scopes: ["project", "user"],
  managed: {
    directory: (platform) => (platform === "darwin" ? "/Library/Application Support/GeminiCli" : "/etc/gemini-cli"),
    file: "settings.json",
  },
  plugins: undefined,
  subjects: {
    BeforeTool: "tool_name",
    AfterTool: "tool_name",
    SessionStart: "source",
    SessionEnd: "reason",
    PreCompress: "trigger",
    Notification: "notification_type",
  },
  withoutSubject: ["BeforeAgent", "AfterAgent"],
  usualSubjects: "run_shell_command read_file write_file replace glob web_fetch startup resume clear manual auto".split(
    " ",
  ),
  holdingBack: ["BeforeTool", "BeforeAgent"],
  textIsContext: [],
  timeoutUnitMs: 1,
  defaultTimeoutMs: () => 60_000,
  blockWords: ["deny", "block"],
};
