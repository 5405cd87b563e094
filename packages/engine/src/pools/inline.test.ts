import { poolConformance } from "../../test/conformance/conformance.ts";

const sameThread = "an inline task runs on the pool's own thread";
const sameProcess = "an inline task runs in the pool's own process and takes it along";

await poolConformance(new URL("./in-process.ts", import.meta.url), "inline", {
  "runs several tasks at once": sameThread,
  "stops a busy loop": sameThread,
  "survives the end of a worker": sameProcess,
  "survives SIGKILL of a worker": sameProcess,
  "has a memory limit per worker": sameProcess,
  "ends the programs a stopped task started": "an inline task's programs cannot be told from the owner's",
  "ends the programs its tasks started when its own process is killed": sameProcess,
  "catches what a task prints": "an inline task prints where the pool's owner prints",
});
