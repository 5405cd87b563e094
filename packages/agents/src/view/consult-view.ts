import { readResultFile, readRunFile } from "@coppice/engine/records";
import { bodyText, nameOf } from "../ask/ask-text.ts";
import type { AskResult, Question } from "../ask/question.ts";
import { type Said, unfinishedText } from "../consult/consultation-search.ts";
import type { DigestResult } from "../digest/digest-result.ts";
import type { DigestSetup } from "../digest/digest-search.ts";
import { callsText, summaryText } from "../models/money/totals.ts";
import type { RankingResult, RankingSetup } from "../ranking/ranking-search.ts";
import { parseReply } from "../replies/parse-reply.ts";
import type { Swarm, SwarmAggregate, SwarmResult } from "../swarm/swarm.ts";
import { inventedText } from "../swarm/swarm-text.ts";
import { type Excerpt, excerptsOf } from "./excerpts.ts";
import { type Spent, spendingIn } from "./spending.ts";

/** Letters of an answer that are shown, and answers. */
const MOST_LETTERS = 4000;
const MOST_ANSWERS = 1000;

/** Answers of models as pages show them, whichever tool asked. */
export interface ConsultView {
  /** What was asked. */
  readonly about: string;
  /** What there is to say about all answers. */
  readonly remarks: readonly string[];
  /** How many answers say what: verdicts, severities. */
  readonly tallies: readonly (readonly [name: string, count: number])[];
  readonly answers: readonly ShownAnswer[];
  readonly spending: readonly Spent[];
  /** By what is cited, as it stands in the texts. */
  readonly excerpts: Readonly<Record<string, Excerpt>>;
}

/** One answer. */
export interface ShownAnswer {
  readonly name: string;
  readonly verdict?: string;
  /** Confidence, model, what it took. */
  readonly remark: string;
  readonly text: string;
  readonly failure?: string;
}

type Parts = Pick<ConsultView, "about" | "remarks" | "tallies" | "answers">;

/** What there is to see of a question, a swarm, a digest or a ranking, also while answers come. */
export function readConsultView(directory: string): ConsultView {
  const { tool, options } = readRunFile(directory);
  const result = readResultFile(directory)?.result;
  const early: ShownAnswer[] = [];
  const names = namesOf(tool, options);
  const spending = spendingIn(directory, ({ content }, ask) => {
    if (result !== undefined || early.length >= MOST_ANSWERS) return;
    const { verdict, reasoning } = parseReply(content);
    early.push({
      name: names.asked[ask] ?? `answer ${ask + 1}`,
      remark: "as it came",
      text: cut(verdict === null ? content : reasoning),
      ...(verdict === null ? {} : { verdict }),
    });
  });
  const parts =
    result === undefined
      ? { about: names.about, remarks: ["not all have answered yet"], tallies: tally(early), answers: early }
      : partsOf(tool, result);
  const answers = parts.answers.slice(0, MOST_ANSWERS);
  const texts = answers.map(({ text }) => text);
  return { ...parts, about: cut(parts.about), answers, spending, excerpts: excerptsOf(texts, directory) };
}

/** What `run.json` keeps of those tools that a page needs. */
interface Recorded {
  readonly question: Question;
  readonly plan: Swarm;
  readonly setup: DigestSetup | RankingSetup;
}

function namesOf(tool: string, options: unknown): { readonly about: string; readonly asked: readonly string[] } {
  // Cast: each tool has written its own part.
  const { question, plan, setup } = options as Recorded;
  if (tool === "ask") {
    return { about: question.query, asked: question.respondents.map(({ name, title }) => title || name) };
  }
  if (tool === "swarm") return { about: plan.about, asked: plan.tasks.map(({ label }) => label) };
  return { about: setup.question, asked: "members" in setup ? setup.members.map(({ name }) => name) : [] };
}

/** Casts: those tools have written their results. */
function partsOf(tool: string, result: unknown): Parts {
  if (tool === "ask") return askParts(result as AskResult);
  if (tool === "swarm") return swarmParts(result as SwarmResult);
  return tool === "digest" ? digestParts(result as DigestResult) : rankingParts(result as RankingResult);
}

function askParts({ query, results, summary }: AskResult): Parts {
  const answers = results.map((answer): ShownAnswer => {
    const { verdict, confidence, readFrom, model } = answer;
    const sure = confidence === null ? [] : [`confidence ${confidence}`];
    const how = readFrom === "prose" ? ["read from prose"] : [];
    return {
      ...said(answer, nameOf(answer), bodyText(answer), [...sure, ...how, model]),
      ...(verdict === null ? {} : { verdict }),
    };
  });
  return { about: query, remarks: [summaryText(summary)], tallies: tally(answers), answers };
}

function swarmParts({ about, results, skipped, aggregate, summary, mode }: SwarmResult): Parts {
  const notes = skipped.map(({ label, why }) => `${label} was skipped: ${why}`);
  const answers = results.map((answer): ShownAnswer => {
    const { text, verdict, remark } = swarmAnswer(aggregate, answer.index, answer.content);
    const shown = said(answer, answer.label, text, remark === "" ? [] : [remark]);
    return verdict === null ? shown : { ...shown, verdict };
  });
  const counts = aggregate.mode === "review" ? Object.entries(aggregate.counts) : tally(answers);
  return { about: `${mode}: ${about}`, remarks: [summaryText(summary), ...notes], tallies: counts, answers };
}

/** What the swarm made of one of its answers. */
function swarmAnswer(aggregate: SwarmAggregate, index: number, content: string) {
  const plain = { text: content.trim(), verdict: null, remark: "" };
  switch (aggregate.mode) {
    case "analyze": {
      const view = aggregate.views.find((each) => each.index === index);
      if (view === undefined) return plain;
      const remark = `confidence ${view.confidence}${view.form === "prose" ? ", read from prose" : ""}`;
      return { text: parseReply(content).reasoning.trim(), verdict: view.verdict, remark };
    }
    case "generate":
    case "batch": {
      const same = aggregate.distinct.find((each) => each.index === index)?.same;
      if (same === undefined) return { ...plain, remark: "nearly the same as another" };
      return { ...plain, remark: same.length === 0 ? "" : `nearly the same: ${same.join(", ")}` };
    }
    case "review": {
      const file = aggregate.files.find((each) => each.index === index);
      if (file === undefined || file.form === "prose") return { ...plain, remark: "not read as findings" };
      const lines = file.findings.map(({ severity, line, finding, removedCitations }) => {
        return `${severity}${line === null ? "" : ` (${file.label}:${line})`}: ${finding}${inventedText(removedCitations)}`;
      });
      return {
        text: lines.join("\n"),
        verdict: null,
        remark: lines.length === 1 ? "1 finding" : `${lines.length} findings`,
      };
    }
    case "test-cases": {
      for (const [category, cases] of Object.entries(aggregate.categories)) {
        const found = cases.find((each) => each.index === index);
        if (found === undefined) continue;
        const text = `${found.name}\ngiven  ${found.given}\nexpect ${found.expect}`;
        return { text, verdict: null, remark: category };
      }
      return plain;
    }
    default:
      return aggregate satisfies never;
  }
}

function digestParts({ question, files, report, model }: DigestResult): Parts {
  const { linesIn, linesOut, savingPercent, removedCitations, totals } = report;
  const answers = files.map(
    ({ path, state, problem, summary, linesIn: lines, citations, parts, cached }): ShownAnswer => {
      const remark = `${lines} lines, ${citations === 1 ? "1 citation" : `${citations} citations`}${parts > 1 ? `, read in ${parts} parts` : ""}${cached ? ", known already" : ""}`;
      const failure = state === "summarised" ? problem : `no summary: ${problem ?? state}`;
      return { name: path, remark, text: cut(summary), ...(failure === undefined ? {} : { failure }) };
    },
  );
  const remarks = [
    `${linesIn} lines in, ${linesOut} lines out: ${savingPercent} % saved; ${model}`,
    callsText(totals),
    ...(removedCitations === 0 ? [] : [`${removedCitations} citations of places that do not exist were removed`]),
  ];
  return { about: question, remarks, tallies: [], answers };
}

function rankingParts({ question, answer, by, members, judgements, chair, summary }: RankingResult): Parts {
  const unread = judgements.filter(({ ranking }) => ranking === null).map((judgement) => judgement.by);
  const remarks = [
    summaryText(summary),
    ...judgements.flatMap((each) => (each.ranking === null ? [] : [`${each.by} ranks ${each.ranking.join(", ")}`])),
    ...(unread.length === 0 ? [] : [`no ranking could be read of: ${unread.join(", ")}`]),
  ];
  const ranked = members.map((member) => {
    const place = member.averageRank === null ? [] : [`average rank ${member.averageRank.toFixed(2)}`];
    return said(member, member.name, member.content.trim(), [...place, member.model]);
  });
  const one: ShownAnswer = {
    ...said(chair, `The answer, by ${by === "chair" ? "the chair" : by}`, answer.trim(), []),
    text: cut(answer.trim()),
  };
  return { about: question, remarks, tallies: [], answers: by === "nobody" ? ranked : [one, ...ranked] };
}

function said({ error, unfinished, ms, usage, cost }: Said, name: string, text: string, remarks: readonly string[]) {
  const tokens = `${usage.promptTokens + usage.answerTokens} tokens`;
  const took = [`${(ms / 1000).toFixed(1)} s`, tokens, ...(cost === null ? [] : [`$${cost.toFixed(4)}`])];
  const cutOff = unfinishedText(unfinished);
  const failure = error === null ? cutOff : `${error.type}: ${error.message}`;
  return { name, remark: [...remarks, ...took].join(", "), text: cut(text), ...(failure === "" ? {} : { failure }) };
}

function tally(answers: readonly ShownAnswer[]): [string, number][] {
  const verdicts = Map.groupBy(
    answers.flatMap(({ verdict }) => verdict ?? []),
    (verdict) => verdict,
  );
  return [...verdicts].map(([verdict, all]) => [verdict, all.length]);
}

function cut(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)} …` : text;
}
