import { subjectField } from "../settings/matcher.ts";

/** An input such as an agent would send for the event, for trying hooks out. */
export function sampleInput(
  event: string,
  projectDir: string,
  subject: string | undefined,
): Readonly<Record<string, unknown>> {
  const common = { session_id: "coppice-trace", transcript_path: "", cwd: projectDir, hook_event_name: event };
  const field = subjectField(event);
  const about = field === undefined ? {} : { [field]: subject ?? (field === "tool_name" ? "Bash" : "startup") };
  switch (event) {
    case "UserPromptSubmit":
      return { ...common, prompt: subject ?? "hello" };
    case "PreToolUse":
    case "PostToolUse":
      return { ...common, ...about, tool_use_id: "toolu_trace", tool_input: { command: "true" }, tool_response: {} };
    default:
      return { ...common, ...about };
  }
}
