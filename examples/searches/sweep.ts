import { defineRun } from "@coppice/engine";
import { Sweep } from "@coppice/search";

/** Everything on a list, each once. */
export default defineRun({
  search: () => new Sweep<number, number>([1, 2, 3].map((candidate) => ({ candidate, key: String(candidate) }))),
  evaluate: (_state, n: number) => n ** 2,
});
