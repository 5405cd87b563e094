import type { AgentFormat } from "./agent-format.ts";

/** Claude Code, by its pages "Hooks reference" and "Settings". */
export const claudeCode: AgentFormat = {
  name: "Claude Code",
  projectVariable: "CLAUDE_PROJECT_DIR",
  folder: ".claude",
  scopes: ["user", "project", "local"],
  managed: {
    directory: (platform) => (platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code"),
    file: "managed-settings.json",
  },
  plugins: "plugins/installed_plugins.json",
  subjects: {
    PreToolUse: "tool_name",
    PostToolUse: "tool_name",
    PostToolUseFailure: "tool_name",
    PermissionRequest: "tool_name",
    PermissionDenied: "tool_name",
    SessionStart: "source",
    SessionEnd: "reason",
    PreCompact: "trigger",
    PostCompact: "trigger",
    Setup: "trigger",
    Notification: "notification_type",
    SubagentStart: "agent_type",
    SubagentStop: "agent_type",
  },
  withoutSubject:
    "UserPromptSubmit Stop StopFailure TaskCreated TaskCompleted TeammateIdle InstructionsLoaded ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult".split(
      " ",
    ),
  usualSubjects:
    "Bash Read Write Edit MultiEdit NotebookEdit Glob Grep Task Agent WebFetch WebSearch TodoWrite startup resume clear compact manual auto".split(
      " ",
    ),
  holdingBack: ["PreToolUse", "PermissionRequest", "UserPromptSubmit"],
  textIsContext: ["UserPromptSubmit", "SessionStart"],
  timeoutUnitMs: 1000,
  defaultTimeoutMs: (event) => (event === "UserPromptSubmit" ? 30_000 : event === "SessionEnd" ? 1_500 : 600_000),
  blockWords: ["block"],
};
