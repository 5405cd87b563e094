import { hash } from "node:crypto";

/** SHA-256 of an idea's text, the same for texts that differ only in line ends, indentation, blank lines, bullets or case. */
export function ideaHash(text: string): string {
  const lines = text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("* ") ? `- ${line.slice(2)}` : line));
  return hash("sha256", lines.join("\n").toLowerCase(), "hex");
}
