import { createHash } from "node:crypto";
import type { Behaviour } from "./behaviour.ts";
import { instructions, question, type ReceivedCall } from "./received-call.ts";

/**
 * An answer made up from the request's own text: always the same to the same request, in the form the request asks for,
 * after a wait as models have it. It says of itself that it is made up.
 */
export function demoAnswer(call: ReceivedCall): Behaviour {
  const draw = drawFrom(JSON.stringify(call.body.messages));
  const latencyMs = 300 + draw(1200);
  return { kind: "answer", content: contentFor(call, draw), latencyMs, firstByteMs: latencyMs / 3 };
}

type Draw = (below: number) => number;

/** Numbers that depend on a text alone. */
function drawFrom(text: string): Draw {
  const bytes = createHash("sha256").update(text).digest();
  let at = 0;
  return (below) => (bytes.readUInt16BE((at++ * 2) % (bytes.length - 1)) % below) | 0;
}

function contentFor(call: ReceivedCall, draw: Draw): string {
  const system = instructions(call);
  const asked = question(call);
  if (/"verdict":|^VERDICT:/m.test(system)) return opinion(system, asked, draw);
  if (/"severity"/.test(`${system}\n${asked}`)) return findings(asked, draw);
  if (/"category"/.test(`${system}\n${asked}`)) return testCase(asked, draw);
  if (/path:line/.test(system)) return summary(asked, draw);
  if (/^RANKING:$/m.test(asked)) return ranking(asked, draw);
  const [first] = asked.split("\n");
  return `(Made up for the demo.) You asked: "${first.slice(0, 80)}". A real model would answer here; this one only knows that the question has ${asked.split(/\s+/).length} words.\nCONFIDENCE: ${["low", "medium", "high"][draw(3)]}`;
}

const reasons = [
  "The benefit is stated, the cost is not; a number for each would settle most of the doubt.",
  "The smallest version that helps is smaller than what is proposed, and could be had this week.",
  "It can be undone, so that trying it costs little more than the time.",
  "Two steps depend on people who were not asked; ask them first.",
  "Nothing in it is new, which speaks for it: others have walked this way and came back.",
  "The hard part is left for later, where it will be harder.",
] as const;

function opinion(system: string, asked: string, draw: Draw): string {
  const verdicts = ["PROCEED", "CONDITIONAL_GO", "CONDITIONAL_GO", "STOP"] as const;
  const first = reasons[draw(reasons.length)];
  const second = reasons[draw(reasons.length)];
  return JSON.stringify({
    // An arbiter follows the weight of the council, as a real one usually does.
    verdict: /, (\w+) leads with/.exec(asked)?.[1] ?? verdicts[draw(verdicts.length)],
    confidence: 40 + draw(55),
    conviction: 40 + draw(55),
    reasoning: `(Made up for the demo.) ${first === second ? first : `${first} ${second}`}`,
    ...(/"next"|^NEXT:/m.test(system) ? { next: "CONTINUE" } : {}),
  });
}

/** All answers, from one of them on. */
function ranking(asked: string, draw: Draw): string {
  const letters = [...asked.matchAll(/name="Answer ([A-Z])"/g)].map(([, letter]) => letter);
  const first = draw(Math.max(1, letters.length));
  const order = [...letters.slice(first), ...letters.slice(0, first)];
  return `(Made up for the demo.)\nRANKING:\n${order.map((letter, i) => `${i + 1}. Answer ${letter}`).join("\n")}`;
}

/** About a file whose lines are numbered: its first words, and a place in it. */
function summary(asked: string, draw: Draw): string {
  const path = /name=("(?:[^"\\]|\\.)*")/.exec(asked)?.[1] ?? '"the file"';
  const lines = [...asked.matchAll(/^(\d+): *(\S.*)$/gm)];
  const [, number = "1", text = "nothing"] = lines[draw(Math.max(1, lines.length))] ?? [];
  return `(Made up for the demo.) ${lines.length} lines with something in them; one of them reads "${text.slice(0, 60)}" (${JSON.parse(path)}:${number}).`;
}

function findings(asked: string, draw: Draw): string {
  const severities = ["critical", "high", "medium", "low"] as const;
  const lines = asked.split("\n").length;
  const count = draw(3);
  if (count === 0) return JSON.stringify({ severity: "none" });
  return Array.from({ length: count }, () =>
    JSON.stringify({
      severity: severities[draw(severities.length)],
      line: 1 + draw(lines),
      finding: "(Made up for the demo.) Something here may fail when the input is empty.",
    }),
  ).join("\n");
}

function testCase(asked: string, draw: Draw): string {
  const category = /"category": "([^"|]+)"/.exec(asked)?.[1] ?? "edge case";
  return JSON.stringify({
    category,
    name: `demo case ${draw(1000)}`,
    given: "(Made up for the demo.) an input of length zero",
    expect: "an error that names the input",
  });
}
