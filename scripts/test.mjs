// Runs the test suite: every *.test.ts beside what it tests. Extra arguments narrow it: `npm test -- packages/engine`.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const places = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const files = globSync(["packages/*/{src,test}/**/*.test.ts", "bench/**/*.test.ts", "examples/**/*.test.ts"], {
  exclude: (path) => path.includes("node_modules"),
})
  .filter((file) => places.length === 0 || places.some((place) => file.startsWith(place)))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${places.join(" ") || "the workspace"}`);
  process.exit(2);
}
const run = spawnSync(
  process.execPath,
  ["--disable-warning=ExperimentalWarning", "--test", "--test-timeout=300000", ...flags, ...files],
  // Commands that tests start are not called through npm.
  { stdio: "inherit", env: { ...process.env, npm_command: undefined } },
);
process.exit(run.status ?? 1);
