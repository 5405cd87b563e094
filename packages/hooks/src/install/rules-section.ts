const BEGIN = "<!-- coppice:begin -->";
const END = "<!-- coppice:end -->";

const RULES = `${BEGIN}
## Working in parallel

- Start agents that do not need each other's results together, in one message. Mark one that does need an earlier
  result with \`[depends on <what>]\` in its description.
- For several opinions on one question use \`coppice ask --batch judge,critic,skeptic "<question>"\`.
- Do not read files of more than about 1000 lines whole: \`coppice digest <files> --question "<what you need>"\`.
${END}
`;

/** The instruction file with our section in it, once, at its old place or at the end. */
export function withRules(text: string): string {
  const section = sectionOf(text);
  if (section !== undefined) return text.slice(0, section.start) + RULES + text.slice(section.end);
  return text === "" ? RULES : `${text.replace(/\n*$/, "\n\n")}${RULES}`;
}

/** The instruction file without our section. */
export function withoutRules(text: string): string {
  const section = sectionOf(text);
  if (section === undefined) return text;
  const before = text.slice(0, section.start).replace(/\n+$/, "\n");
  const after = text.slice(section.end).replace(/^\n+/, "");
  return before === "\n" || before === "" ? after : before + (after === "" ? "" : `\n${after}`);
}

function sectionOf(text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) return undefined;
  const after = end + END.length;
  return { start, end: text[after] === "\n" ? after + 1 : after };
}
