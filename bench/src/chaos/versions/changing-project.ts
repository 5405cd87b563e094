import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The places that the evaluator's answer is made from, each loaded in a different way. */
export const parts = ["own", "imported", "re-exported", "later", "required", "data", "linked", "installed"] as const;
export type Part = (typeof parts)[number];

const path: Readonly<Record<Part, string>> = {
  own: "evaluator.mjs",
  imported: "lib/imported.mjs",
  "re-exported": "lib/re-exported.mjs",
  later: "lib/later.mjs",
  required: "lib/required.cjs",
  data: "lib/data.json",
  linked: "linked/index.mjs",
  installed: "node_modules/installed/index.mjs",
};

/** `{NUMBER}` is what a change changes. */
const text: Readonly<Record<Part, string>> = {
  own: `import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { number as imported, number2 as reExported } from "./lib/imported.mjs";
import data from "./lib/data.json" with { type: "json" };
import { number as linked } from "linked";
import { number as installed } from "installed";
const require = createRequire(import.meta.url);
const required = require("./lib/required.cjs");
let evaluated = 0;
export default {
  setup: (context) => context,
  evaluate: async ({ ledger, dieOnce }, n) => {
    writeFileSync(ledger, n + "\\n", { flag: "a" });
    if (++evaluated === 3 && dieOnce !== "" && existsSync(dieOnce) && readFileSync(dieOnce, "utf8") === "") {
      writeFileSync(dieOnce, "reached");
      while (readFileSync(dieOnce, "utf8") === "reached") await new Promise((settle) => setTimeout(settle, 5));
      process.exit(1);
    }
    const { number: later } = await import("./lib/later.mjs");
    return n * ({NUMBER} + imported + reExported + later + required + data.number + linked + installed);
  },
};
`,
  imported: 'export const number = {NUMBER};\nexport { number as number2 } from "./re-exported.mjs";\n',
  "re-exported": "export const number = {NUMBER};\n",
  later: "export const number = {NUMBER};\n",
  required: "module.exports = {NUMBER};\n",
  data: '{ "number": {NUMBER} }\n',
  linked: "export const number = {NUMBER};\n",
  installed: "export const number = {NUMBER};\n",
};

/** A project whose evaluator's values depend on files that it loads in every way there is. */
export class ChangingProject {
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
    mkdirSync(join(place, "node_modules"), { recursive: true });
    mkdirSync(join(place, "linked"));
    symlinkSync("../linked", join(place, "node_modules", "linked"));
    this.#write("linked/package.json", JSON.stringify({ name: "linked", exports: "./index.mjs" }));
    for (const part of parts) this.set(part, 1);
  }

  get evaluator(): string {
    return join(this.#place, path.own);
  }

  /** Makes a part's number another one; an installed package gets another version with it, as from a registry. */
  set(part: Part, number: number): void {
    this.#write(path[part], text[part].replace("{NUMBER}", String(number)));
    if (part !== "installed") return;
    const manifest = { name: "installed", version: `1.0.${number}`, exports: "./index.mjs" };
    this.#write("node_modules/installed/package.json", JSON.stringify(manifest));
  }

  #write(name: string, content: string): void {
    const file = join(this.#place, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
