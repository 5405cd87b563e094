// A process of its own that fills a cache: node writer.ts <path> <writer> <count>. Prints how many entries it reads back.
import { openCache } from "../src/cache/evaluation-cache.ts";

const [path = "", writer = "", count = "0"] = process.argv.slice(2);
const cache = openCache(path);
for (let i = 0; i < Number(count); i++) {
  // Odd keys are everyone's, even ones this writer's own; the value is a function of the key, as with a pure evaluator.
  const key = i % 2 === 1 ? `shared-${i}` : `own-${writer}-${i}`;
  cache.put("scope", key, JSON.stringify({ key }));
  if (i % 20 === 0) await new Promise(setImmediate);
}
cache.flush();
let readBack = 0;
for (let i = 0; i < Number(count); i++) {
  const key = i % 2 === 1 ? `shared-${i}` : `own-${writer}-${i}`;
  if (cache.get("scope", key) === JSON.stringify({ key })) readBack++;
}
cache.close();
console.log(readBack);
