/** A short name for a command: its script's file name without ending, else its first word. */
export function nameOfCommand(command: string): string {
  const words = command.split(/[\s"'=;|&()<>]+/).filter((word) => word !== "" && !/^\$?\{?\w*\}?$/.test(word));
  const script = words.find((word) => /\/[^/]+$|\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|pl)$/.test(word));
  const base = (script ?? command.trim().split(/\s+/)[0] ?? "").replace(/^.*\//, "").replace(/["'{}$]/g, "");
  return base.replace(/\.\w+$/, "") || "hook";
}
