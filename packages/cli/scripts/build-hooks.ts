import { buildBundle } from "../src/hooks/build-bundle.ts";

console.log(await buildBundle());
