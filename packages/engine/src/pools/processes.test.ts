import { poolConformance } from "../../test/conformance/conformance.ts";

await poolConformance(new URL("./processes.ts", import.meta.url), "processes", {
  "shares arrays without a copy": "processes have no memory in common; each worker gets one copy",
});
