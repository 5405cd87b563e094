import { z } from "zod";
import type { InputText } from "../import/published.ts";
import { markNumericKeys, readJson, unmarkKey } from "../import/read-json.ts";
import type { Instance } from "../instance/instance.ts";
import { type Flow, flowsOfIds } from "./controlled-flows.ts";

const shape = z.record(z.string(), z.array(z.string()), {
  error: 'it must be an object from flow to flight ids, { "north": ["BA1", "BA2"] }',
});

/** Reads flows, `{ "flow": ["flight", …] }`, in the order of the file. */
export function readFlowsFile(file: InputText, instance: Instance): Flow[] {
  const flows = readJson(markNumericKeys(file.text), file.source, shape);
  return flowsOfIds(instance, new Map(Object.entries(flows).map(([id, flights]) => [unmarkKey(id), flights])));
}
