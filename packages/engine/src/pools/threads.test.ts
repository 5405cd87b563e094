import { poolConformance } from "../../test/conformance/conformance.ts";

await poolConformance(new URL("./threads.ts", import.meta.url), "threads", {
  "survives SIGKILL of a worker": "a signal reaches the whole process, never one thread",
  "ends the programs its tasks started when its own process is killed":
    "nothing is left of the pool that could end them; evaluators that start programs belong in processes",
});
