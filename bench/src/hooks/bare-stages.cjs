// Starts the commands of each stage at once and waits for all of them: what any runner of the same stages must do at least.
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");

const input = readFileSync(0);
const stages = JSON.parse(process.argv[2]);

(async () => {
  for (const stage of stages) await Promise.all(stage.map(run));
})();

function run([file, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.stdout.resume();
    child.stderr.resume();
    child.on("close", resolve);
  });
}
