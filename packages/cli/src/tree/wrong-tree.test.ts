import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertRefused, coppice, file } from "../../test/coppice.ts";
import { git, treeProject } from "../../test/tree-project.ts";

describe("coppice tree refuses, with one line and nothing touched", () => {
  const wrong: readonly [name: string, args: readonly string[], line: RegExp][] = [
    ["T-06: no evaluation at a time", ["--max-parallel-evals", "0"], /whole number from 1 to 1024/],
    ["T-06: no evaluation per node", ["--max-parallel-per-node", "0"], /whole number from 1 to 1024/],
    ["T-06: an unknown backend", ["--parallel-backend", "cloud"], /inline, threads, processes/],
    ["negative retries", ["--eval-retries", "-1"], /whole number from 0 to 1000/],
    ["no time at all", ["--eval-timeout-seconds", "0"], /number of seconds above 0/],
    ["several at a time in one place", ["--parallel-backend", "inline", "--max-parallel-evals", "2"], /one at a time/],
    ["threads for real steps", ["--parallel-backend", "threads"], /is for dry runs/],
    ["evaluations again in a new run", ["--rerun-evals"], /use "coppice tree resume <run> --rerun-evals"/],
    ["ideas again in a new run", ["--id", "7", "--force-regenerate-ideas"], /use "coppice tree resume 7 --force/],
    ["a name that git does not want", ["--id", "a.lock"], /"a\.lock" is not usable/],
    ["a configuration that is a folder", ["--config", "ideas"], /cannot read ideas: it is a folder; give the conf/],
    [
      "a configuration that is not there",
      ["--config", "other.yaml"],
      /cannot read other\.yaml: there is no such file; "coppice tree init" writes one/,
    ],
  ];
  it("flags that cannot be", async (t) => {
    const place = treeProject(t);
    for (const [name, args, line] of wrong) {
      assertRefused(await coppice(place, ["tree", "run", ...args]), line);
      assert.ok(!existsSync(join(place, ".coppice")), name);
    }
  });

  it("repositories that cannot be", async (t) => {
    const dirty = treeProject(t);
    file(dirty, "value.txt", "changed\n");
    assertRefused(await coppice(dirty, ["tree", "run"]), /has uncommitted changes \("value\.txt"\)/);
    git(dirty, "checkout", "--quiet", "--", "value.txt");
    git(dirty, "branch", "tree");
    assertRefused(await coppice(dirty, ["tree", "run"]), /has a branch tree, .*: rename it/);
    assert.ok(!existsSync(join(dirty, ".coppice")));
  });

  it("configurations that cannot be", async (t) => {
    const place = treeProject(t);
    const good = readFileSync(join(place, "coppice.tree.yaml"), "utf8");
    const lists = Array.from(
      { length: 9 },
      (_, n) => `a${n}: &a${n} [${`${n === 0 ? "x" : `*a${n - 1}`},`.repeat(9)}]\n`,
    );
    const aliasesOfAliases = lists.join("");
    for (const [name, text] of Object.entries({ nan: "value\nNaN\n", other: "speed\n1\n", none: "" })) {
      file(place, `baseline-${name}.csv`, text);
    }
    git(place, "add", "--all");
    const tries: readonly [change: (text: string) => string, line: RegExp][] = [
      [(text) => text.replace("{idea}", "{ides}"), /coppice\.tree\.yaml: .*unknown placeholder \{ides\}/],
      [(text) => text.replace("folder: ideas", "folder: nowhere"), /there is no folder .*nowhere/],
      [(text) => text.replace("primary: value", "primary: speed"), /score\.primary is "speed", which is not among/],
      [(text) => `${text}surprise: 1\n`, /unknown key "surprise"; it may have repository/],
      [(text) => `${text}__proto__: 1\n`, /nothing can be called __proto__; rename it/],
      [(text) => text.replace("max_depth: 1", "max_depth: -1"), /search\.max_depth: /],
      [(text) => text.replace("max_depth: 1", "max_depth: two"), /max_depth: it must be a number, not a text\n$/],
      [(text) => text.replace(/implement: .*/, "implement: []"), /steps\.implement: it must have at least 1 item\n$/],
      [
        (text) => text.replace("max_depth: 1", "repeats: many"),
        /search\.repeats: it must be "auto" or a whole number from 1 to 1000\n$/,
      ],
      [() => "- a list\n", /coppice\.tree\.yaml: the file: it must be an object \{ … \}, not a list/],
      [(text) => `${text}\nx: *nothing\n`, /is not valid YAML: Unresolved alias .*nothing\n$/],
      [() => "[".repeat(2_000_000), /coppice\.tree\.yaml has 2000000 characters; a configuration has at most 1000000/],
      [(text) => `${text}\n${aliasesOfAliases}`, /is not valid YAML: Excessive alias count/],
      [(text) => `${text}\tx: [`, /is not valid YAML: .*[^:]\n$/],
      [(text) => text.replace("{ folder: ideas }", "7"), /coppice\.tree\.yaml: ideas: it must be /],
      [(text) => text.replace(/^ideas:.*\n/m, ""), /coppice\.tree\.yaml: ideas is missing: give ideas: \{ folder/],
      [(text) => text.replace("{ folder: ideas }", "{}"), /coppice\.tree\.yaml: ideas is missing: give ideas: /],
      [(text) => text.replace(/implement: .*/, "implement: {}"), /steps\.implement is missing: give how an idea is/],
      [(text) => text.replace(/^ +implement:.*\n/m, ""), /coppice\.tree\.yaml: steps\.implement is missing: give how/],
      [(text) => text.replace(/^score:\n( .*\n)+/m, ""), /coppice\.tree\.yaml: score is missing: give which column/],
      [(text) => `baseline: none.csv\n${text}`, /there is no baseline .*none\.csv/],
      [(text) => `baseline: ideas\n${text}`, /there is no baseline .*ideas: name a CSV file/],
      [(text) => `baseline: baseline-nan.csv\n${text}`, /baseline: \S*baseline-nan\.csv holds no finite number in the/],
      [(text) => `baseline: baseline-other.csv\n${text}`, /baseline: \S*other\.csv lacks the primary column "value"/],
      [(text) => `baseline: baseline-none.csv\n${text}`, /baseline: \S*none\.csv is empty: a header line and a row/],
    ];
    for (const [change, line] of tries) {
      file(place, "coppice.tree.yaml", change(good));
      git(place, "commit", "--quiet", "--all", "--message", "Try");
      assertRefused(await coppice(place, ["tree", "run"]), line);
      assert.ok(!existsSync(join(place, ".coppice")));
    }
  });
});
