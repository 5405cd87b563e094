import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { it } from "node:test";
import type { Installation } from "./installation.ts";

/** A project of `coppice init`, in both languages and on every Node: one digest, and its own test passes. */
export function tryInit(all: () => Installation, nodes: Readonly<Record<string, string>>): void {
  const digests = new Set<string>();
  for (const [version, node] of Object.entries(nodes)) {
    for (const [language, ...flags] of [["ts"], ["js", "--js"]]) {
      it(`Node ${version}: coppice init ${flags.join(" ")} writes a project that runs as it stands`, () => {
        const project = all();
        const place = `init-${language}-${version}`;
        const succeed = (args: readonly string[]) => {
          const { code, stdout, stderr } = project.run(node, args);
          assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
        };
        succeed([project.program, "init", place, ...flags]);
        for (const workers of ["1", "4"]) {
          const runs = ["--workers", workers, "--run-dir", `${place}/runs`, "--quiet"];
          succeed([project.program, "run", `${place}/run.${language}`, ...runs]);
        }
        for (const digest of Object.values(project.digests(`${place}/runs`))) digests.add(digest);
        assert.equal(digests.size, 1);
        succeed(["--test", ...globSync(`${place}/*.test.*`, { cwd: project.root })]);
      });
    }
    it(`Node ${version}: coppice doctor finds everything needed, and completion knows the commands`, () => {
      const { code, stdout, stderr } = all().coppice(node, ["doctor"]);
      assert.equal(code, 0, stdout + stderr);
      assert.match(all().coppice(node, ["completion", "bash"]).stdout, /'flow plan'\) commands=/);
    });
  }
}
