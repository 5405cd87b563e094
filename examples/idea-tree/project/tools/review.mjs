// Reviews a change: node tools/review.mjs <change.diff>
// The verdict is the first line; a reviewer that is a person or a language model would stand here instead.
import { readFileSync } from "node:fs";

const diff = readFileSync(process.argv[2], "utf8");
const files = [...diff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file]) => file);
const forbidden = files.filter((file) => file === "test.mjs" || file.startsWith("tools/"));
if (forbidden.length === 0) console.log("APPROVE");
else
  console.log(
    `REJECT\nISSUES:\n${forbidden.map((file) => `- ${file} is what an idea is judged by`).join("\n")}\nNOTES:`,
  );
