// A deterministic idea generator that remembers: it offers numbers it has not offered on its branch before. With
// COPPICE_TEST_SESSIONS it trusts its provider's sessions, here one file per session, instead of the turns it is given.
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const given = (name) => process.env[`COPPICE_TREE_${name}`] ?? "";
const beside = join(given("REPOSITORY"), "..");
const before = JSON.parse(readFileSync(given("CONVERSATION_IN"), "utf8"));
appendFileSync(join(beside, "calls.log"), `${given("NODE")}\n`);
if (existsSync(join(beside, `hang-${given("NODE")}`))) setInterval(() => {}, 1000);

const session = `session-${given("NODE")}`;
const sessionFile = (name) => join(beside, `${name}.ndjson`);
let offered;
if (process.env.COPPICE_TEST_SESSIONS === undefined) {
  offered = before.turns.map(({ reply }) => Number(reply));
} else {
  if (before.must_fork) copyFileSync(sessionFile(before.session_id), sessionFile(session));
  else if (before.session_id === null) writeFileSync(sessionFile(session), "");
  offered = readFileSync(sessionFile(session), "utf8").split("\n").filter(Boolean).map(Number);
}
for (let number = 2, made = 0; made < Number(given("COUNT")); number++) {
  if (offered.includes(number)) continue;
  const idea = `${String(++made).padStart(3, "0")}.md`;
  writeFileSync(join(given("IDEAS"), idea), `${number}\n`);
  if (process.env.COPPICE_TEST_SESSIONS !== undefined) appendFileSync(sessionFile(session), `${number}\n`);
  const turn = { session_id: session, prompt: `not ${offered.join(" ")}`, reply: String(number), idea };
  appendFileSync(given("CONVERSATION_OUT"), `${JSON.stringify(turn)}\n`);
}
