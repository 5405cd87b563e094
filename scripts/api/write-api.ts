import { mkdirSync, writeFileSync } from "node:fs";
import { apiPage, undocumented } from "./api-page.ts";
import { publicFaces } from "./declarations.ts";

// npm run api: writes docs/api, one page per package.

const folder = new URL("../../docs/api/", import.meta.url);
const faces = publicFaces();
mkdirSync(folder, { recursive: true });
for (const face of faces) writeFileSync(new URL(`${face.folder}.md`, folder), apiPage(face));
const missing = undocumented(faces);
if (missing.length > 0) {
  console.error(`without a doc comment:\n  ${missing.join("\n  ")}`);
  process.exitCode = 1;
}
