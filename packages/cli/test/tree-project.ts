import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { file, temporaryDirectory } from "./coppice.ts";

export interface TreeChanges {
  readonly implement?: string;
  readonly extra?: string;
  /** Where evaluations run; processes, as usual, take a second to start. */
  readonly pool?: "inline" | "processes";
}

/** Repositories as they begin, by their changes: a copy takes less than the three calls of git that make one. */
const templates = new Map<string, string>();
after(() => {
  for (const template of templates.values()) rmSync(template, { recursive: true });
});

/** A repository in which every idea's text becomes the value that is measured. */
export function treeProject(t: TestContext, changes: TreeChanges = {}): string {
  const place = temporaryDirectory(t);
  const name = JSON.stringify(changes);
  const made = templates.get(name) ?? madeProject(mkdtempSync(join(tmpdir(), "coppice-template-")), changes);
  templates.set(name, made);
  cpSync(made, place, { recursive: true });
  return place;
}

function madeProject(place: string, changes: TreeChanges): string {
  const implement = changes.implement ?? "cat {idea} > value.txt";
  mkdirSync(join(place, "ideas"));
  file(place, "value.txt", "1\n");
  for (const [name, value] of Object.entries({ a: "2", b: "3", c: "0.5", d: "2.5" })) {
    file(place, join("ideas", `${name}.md`), `${value}\n`);
  }
  file(
    place,
    "coppice.tree.yaml",
    `ideas: { folder: ideas }
steps:
  implement: ${JSON.stringify(implement)}
  sweep: '{ echo config_id,value; echo "0,$(cat value.txt)"; } > {results}'
score:
  primary: value
  metrics: [{ column: value, weight: 1, better: higher }]
search: { max_depth: 1, beam_width: 2, dedupe_scope: accepted, parallel_backend: ${changes.pool ?? "inline"} }
${changes.extra ?? ""}`,
  );
  git(place, "init", "--quiet", "--initial-branch=main");
  git(place, "add", "--all");
  git(place, "commit", "--quiet", "--message", "Begin");
  return place;
}

export function git(place: string, ...args: string[]): string {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: place, encoding: "utf8", stdio: "pipe" }).trim();
}
