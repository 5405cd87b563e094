import { isRecord } from "@coppice/engine/values";
import { jsonValuesIn } from "../replies/json-in-text.ts";
import { field, parseReply } from "../replies/parse-reply.ts";
import { nearDuplicates } from "./near-duplicates.ts";
import { readFindings, severities } from "./review-findings.ts";
import type { SwarmAggregate, SwarmAnswer, SwarmMode, SwarmTask, TestCase } from "./swarm.ts";

/** Puts answers together as the mode wants it. Failed ones are left out; labels come from the prompts. */
export function aggregate(mode: SwarmMode, tasks: readonly SwarmTask[], all: readonly SwarmAnswer[]): SwarmAggregate {
  const answers = all.filter(({ ok }) => ok);
  switch (mode) {
    case "analyze":
      return { mode, views: answers.map(viewOf) };
    case "generate":
    case "batch":
      return { mode, distinct: distinctAnswers(answers) };
    case "review":
      return reviewed(answers, tasks);
    case "test-cases":
      return casesByCategory(answers, tasks);
    default:
      return mode satisfies never;
  }
}

function viewOf({ index, label, content }: SwarmAnswer) {
  const { verdict, confidence, form } = parseReply(content);
  return { index, label, verdict, confidence, form };
}

function distinctAnswers(answers: readonly SwarmAnswer[]) {
  const first = nearDuplicates(answers.map(({ content }) => content));
  return answers
    .map(({ index, label }, at) => ({
      index,
      label,
      same: answers.filter((_, i) => first[i] === at).map((each) => each.label),
    }))
    .filter((_, at) => first[at] === null);
}

function reviewed(answers: readonly SwarmAnswer[], tasks: readonly SwarmTask[]): SwarmAggregate {
  const files = answers.map(({ index, label, content }) => {
    const { lineCount } = tasks[index];
    return {
      index,
      label,
      ...readFindings(content, lineCount === undefined ? undefined : { path: label, lineCount }),
    };
  });
  const found = files.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  const others = [...new Set(found)].filter((severity) => !severities.some((known) => known === severity)).sort();
  const count = (severity: string) => found.filter((each) => each === severity).length;
  return {
    mode: "review",
    counts: Object.fromEntries([...severities, ...others].map((severity) => [severity, count(severity)])),
    files,
    unread: files.filter(({ form }) => form === "prose").map(({ label }) => label),
  };
}

function casesByCategory(answers: readonly SwarmAnswer[], tasks: readonly SwarmTask[]): SwarmAggregate {
  const categories = new Map<string, TestCase[]>();
  const unread: string[] = [];
  for (const { index, label, content } of answers) {
    const found = jsonValuesIn(content).find((value) => isRecord(value) && field(value, "name") !== undefined);
    if (!isRecord(found)) {
      unread.push(label);
      continue;
    }
    const text = (name: string) => String(field(found, name) ?? "");
    const category = tasks[index].category ?? "other";
    const cases = categories.get(category) ?? [];
    cases.push({ index, name: text("name"), given: text("given"), expect: text("expect") });
    categories.set(category, cases);
  }
  return { mode: "test-cases", categories: Object.fromEntries(categories), unread };
}
