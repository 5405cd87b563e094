import { buildBundle, bundleFile } from "../src/hooks/build-bundle.ts";

await buildBundle();
console.log(bundleFile);
