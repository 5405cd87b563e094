import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { SmallRepository } from "./small-repository.ts";

/** A repository as the public has them: dependencies that git ignores, tests, a benchmark whose metric has noise of 5 %. */
export interface PublicRepository {
  readonly name: string;
  /** What has to be there to run it. */
  readonly needs: readonly (readonly string[])[];
  readonly files: Readonly<Record<string, string>>;
  /** The file that ideas change. */
  readonly code: string;
  /** What is made in the checkout, as its user would, before a tree is grown. */
  readonly prepare: readonly (readonly string[])[];
  readonly ignored: string;
  /** Lines of the configuration about dependencies, test and sweep. */
  readonly config: string;
}

/** Share of the time that each idea saves; what the stand-in agent is to do is in its text. */
export const planted = {
  "a-nothing.md": "s/about parcels/about all parcels/",
  "b-best.md": "s/PARSE 500/PARSE 200/",
  "c-worse.md": "s/WRITE 200/WRITE 300/",
  "d-good.md": "s/CHECK 300/CHECK 180/",
} as const;

/** Does what the idea's last line says, and prints what agents print. */
const agent = `set -e
sed -i "$(sed -n 's/^DO: //p' "$1")" "$2"
echo '{"result": "done", "total_cost_usd": 0.25, "usage": {"input_tokens": 900, "output_tokens": 100}}'
`;

const ideas = Object.entries(planted).map(([name, what]) => [`ideas/${name}`, `${name}\n\nDO: ${what}\n`] as const);

/** The variables that tell one measurement from another; the noise of each is its own, and the same every time. */
const VARIABLES = ["NOISE_SEED", "COPPICE_TREE_NODE", "COPPICE_TREE_EVAL_ID", "COPPICE_TREE_REPEAT"];

/** FNV-1a of the variables starts a linear congruential generator; twelve of its numbers make one that is nearly normal. */
const noiseInJavaScript = `
  let state = 2166136261;
  for (const byte of Buffer.from(${JSON.stringify(VARIABLES)}.map((name) => process.env[name] ?? "").join(":")))
    state = Math.imul(state ^ byte, 16777619) >>> 0;
  let noise = -6;
  for (let i = 0; i < 16; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (i >= 4) noise += state / 4294967296;
  }`;

const node: PublicRepository = {
  name: "a Node package with dependencies",
  needs: [["npm", "--version"]],
  code: "index.js",
  ignored: "node_modules/\n",
  prepare: [],
  files: {
    "package.json": JSON.stringify({
      name: "parcels",
      version: "1.0.0",
      type: "module",
      dependencies: { counter: "file:vendor/counter" },
    }),
    "package-lock.json": JSON.stringify({
      name: "parcels",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name: "parcels", version: "1.0.0", dependencies: { counter: "file:vendor/counter" } },
        "node_modules/counter": { resolved: "vendor/counter", link: true },
        "vendor/counter": { name: "counter", version: "1.0.0" },
      },
    }),
    "vendor/counter/package.json": JSON.stringify({ name: "counter", version: "1.0.0", main: "index.cjs" }),
    "vendor/counter/index.cjs": "let steps = 0;\nexports.step = () => ++steps;\nexports.steps = () => steps;\n",
    "index.js": `import { step, steps } from "counter";
// about parcels: PARSE 500, CHECK 300, WRITE 200
import { readFileSync } from "node:fs";
const of = (name) => Number(new RegExp(name + " (\\\\d+)").exec(readFileSync(new URL(import.meta.url), "utf8"))[1]);
export function run() {
  for (const name of ["PARSE", "CHECK", "WRITE"]) for (let i = of(name); i > 0; i--) step();
  return steps();
}
`,
    "test.js": `import { run } from "./index.js";\nif (!(run() > 0)) process.exit(1);\n`,
    "bench.js": `import { run } from "./index.js";${noiseInJavaScript}
  console.log(JSON.stringify({ steps: run() * (1 + 0.05 * noise) }));
`,
  },
  config: `share: [node_modules]
steps:
  setup: npm ci --offline --no-audit --no-fund --silent
  test: node test.js
  sweep: node bench.js`,
};

const python: PublicRepository = {
  name: "a Python project with a virtual environment and pytest",
  needs: [["python3", "-c", "import venv, pytest"]],
  code: "parcels.py",
  ignored: ".venv/\n__pycache__/\n.pytest_cache/\n",
  prepare: [["python3", "-m", "venv", "--without-pip", "--system-site-packages", ".venv"]],
  files: {
    "parcels.py": `# about parcels: PARSE 500, CHECK 300, WRITE 200
import re

def run():
    text = open(__file__).read()
    return sum(1 for name in ("PARSE", "CHECK", "WRITE") for _ in range(int(re.search(name + r" (\\d+)", text).group(1))))
`,
    "test_parcels.py": "from parcels import run\n\ndef test_runs():\n    assert run() > 0\n",
    "bench.py": `import os, random, json
from parcels import run
noise = random.Random(":".join(os.environ.get(name, "") for name in ${JSON.stringify(VARIABLES)})).gauss(0, 1)
print(json.dumps({"steps": run() * (1 + 0.05 * noise)}))
`,
  },
  config: `link: [.venv]
steps:
  test: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 .venv/bin/python -m pytest -q -p no:cacheprovider test_parcels.py
  sweep: .venv/bin/python bench.py`,
};

const c: PublicRepository = {
  name: "a C project with make",
  needs: [
    ["make", "--version"],
    ["cc", "--version"],
  ],
  code: "parcels.h",
  ignored: "bench\n*.o\n",
  prepare: [],
  files: {
    Makefile: "bench: bench.c parcels.h\n\tcc -O1 -o bench bench.c\ntest: bench\n\t./bench > test.o\n",
    "parcels.h": "/* about parcels */\n#define PARSE 500\n#define CHECK 300\n#define WRITE 200\n",
    "bench.c": `#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include "parcels.h"
int main(void) {
  const char *names[] = {${VARIABLES.map((name) => `"${name}"`).join(", ")}};
  uint32_t state = 2166136261u;
  for (int i = 0; i < ${VARIABLES.length}; i++) {
    const char *text = getenv(names[i]);
    for (; text && *text; text++) state = (state ^ (uint8_t)*text) * 16777619u;
    state = (state ^ ':') * 16777619u;
  }
  double noise = -6;
  for (int i = 0; i < 16; i++) {
    state = state * 1664525u + 1013904223u;
    if (i >= 4) noise += state / 4294967296.0;
  }
  long steps = 0;
  for (int i = 0; i < PARSE + CHECK + WRITE; i++) steps++;
  printf("{\\"steps\\": %.6f}\\n", steps * (1 + 0.05 * noise));
}
`,
  },
  config: `steps:
  test: make -s test
  sweep: make -s bench && ./bench`,
};

export const publicRepositories: readonly PublicRepository[] = [node, python, c];

/** Why it cannot be grown here; false when it can. */
export function missingFor({ needs }: PublicRepository): string | false {
  const missing = needs.find(([program, ...args]) => spawnSync(program, args, { stdio: "ignore" }).status !== 0);
  return missing === undefined ? false : `${missing.join(" ")} does not work here`;
}

/** Makes the repository, its ideas and its configuration, as somebody would who has read the documentation. */
export function makePublic({ files, prepare, code, ignored, config }: PublicRepository): SmallRepository {
  const repository = new SmallRepository({
    ...files,
    ...Object.fromEntries(ideas),
    ".gitignore": ignored,
    "agent.sh": agent,
    "coppice.tree.yaml": `ideas: { folder: ideas }
${config}
  implement:
    command: sh agent.sh {idea} ${code}
    reply: .result
    money: .total_cost_usd
    tokens: [.usage.input_tokens, .usage.output_tokens]
results: { format: json }
score: { primary: steps, metrics: [{ column: steps, weight: 1, better: lower }] }
search: { max_depth: 2, dedupe_scope: accepted }
`,
  });
  for (const [program, ...args] of prepare) spawnSync(program, args, { cwd: repository.path, stdio: "ignore" });
  chmodSync(repository.path, 0o755);
  return repository;
}
