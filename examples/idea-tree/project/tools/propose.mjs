// Thinks of ideas for packing parcels: node tools/propose.mjs <count> <conversation.json> <reply.json>
// It remembers: what it has offered on this branch before (turns and summary of its conversation) it does not offer
// again. A language model would stand here instead; it would be given the same conversation before its prompt.
import { appendFileSync, readFileSync } from "node:fs";

const [, , count, conversation, reply] = process.argv;
const { summary, turns, request } = JSON.parse(readFileSync(conversation, "utf8"));

const file = (name, body) => `\`\`\`sh\ncat > ${name} <<'END'\n${body}\nEND\n\`\`\``;
const choose = (body) =>
  file(
    "choose.mjs",
    `/** The box a parcel goes into; undefined for a new one. */\nexport function chooseBin(boxes, size) {\n${body}\n}`,
  );
const order = (body) =>
  file(
    "order.mjs",
    `/** The order in which parcels are packed. */\nexport function inOrder(sizes) {\n  return ${body};\n}`,
  );

/** Everything it can think of, the most obvious first. */
const thoughts = [
  {
    title: "Look at every box",
    why: "A parcel that does not fit into the last box may fit into an earlier one.",
    change: choose("  const at = boxes.findIndex(({ free }) => free >= size);\n  return at === -1 ? undefined : at;"),
  },
  {
    title: "Small parcels first",
    why: "Perhaps small parcels fill boxes better when they come first.",
    change: order("[...sizes].sort((a, b) => a - b)"),
  },
  {
    title: "Large parcels first",
    why: "Small parcels fill the gaps that large ones leave, not the other way round.",
    change: order("[...sizes].sort((a, b) => b - a)"),
  },
  {
    title: "Last come, first packed",
    why: "Perhaps the order of the day is what is wrong.",
    change: order("[...sizes].reverse()"),
  },
  {
    title: "Take the tightest box",
    why: "A box that becomes full is done with.",
    change: choose(
      "  let best;\n  for (const [at, { free }] of boxes.entries()) {\n    if (free >= size && (best === undefined || free < boxes[best].free)) best = at;\n  }\n  return best;",
    ),
  },
];

const said = [summary, ...turns.map((turn) => turn.reply)].join("\n");
const fresh = thoughts.filter(({ title }) => !said.includes(title)).slice(0, Number(count));
for (const { title, why, change } of fresh) {
  const idea = `IDEA: ${title}\n\nRATIONALE: ${why}\n\nREQUIRED_CHANGES:\n\n${change}\n`;
  appendFileSync(reply, `${JSON.stringify({ prompt: request, reply: idea })}\n`);
}
console.log(`offered ${fresh.length}, ${turns.length} turns remembered`);
