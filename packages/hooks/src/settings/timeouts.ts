/** Seconds a command hook may take when its entry does not say; as the agent itself counts. */
export function defaultTimeoutMs(event: string): number {
  if (event === "UserPromptSubmit") return 30_000;
  if (event === "SessionEnd") return 1_500;
  return 600_000;
}
