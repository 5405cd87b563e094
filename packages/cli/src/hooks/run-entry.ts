import { runHooksRun } from "@coppice/hooks/run";

// What an agent starts on every event: nothing is loaded that an event does not need.
// Without a call to `process.exit`, so that whatever still has to be written is written; without a top-level await,
// so that it can be bundled in the module format that starts faster.
runHooksRun(process.argv.slice(4)).then((exitCode) => {
  process.exitCode = exitCode;
});
