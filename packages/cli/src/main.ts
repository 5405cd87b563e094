import { runCommandLine } from "./command-line.ts";

// A reader that has seen enough (`coppice … | head`) is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

await runCommandLine(process.argv.slice(2));
