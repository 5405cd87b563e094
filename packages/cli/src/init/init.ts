import { resolve } from "node:path";
import { shellWord } from "@coppice/engine/child-process";
import { projectFiles, projectName, writeProject } from "@coppice/workbench/starter";
import { ownPackage } from "../own-package.ts";
import { print, printJson } from "../print.ts";

interface InitFlags {
  readonly js?: boolean;
  readonly json?: boolean;
}

/** `coppice init`: all files of the project, or none of them. */
export function initProject(folder: string, { js, json }: InitFlags): void {
  const language = js === true ? "javascript" : "typescript";
  const path = resolve(folder);
  const name = projectName(path);
  const { version, engines, dependencies } = ownPackage();
  const files = projectFiles(name, language, {
    engines,
    dependencies: { "@coppice/engine": `^${dependencies["@coppice/engine"]}`, coppice: `^${version}` },
  });
  writeProject(folder, files);
  // Unpublished packages have to be put there by hand.
  const fromClone = !import.meta.url.includes("/node_modules/");
  if (json === true) printJson({ folder: path, name, language, files: Object.keys(files), fromClone });
  else print(nextSteps(folder, Object.keys(files), fromClone));
}

function nextSteps(folder: string, files: readonly string[], fromClone: boolean): string {
  const install = fromClone
    ? "npm install <folder>/*.tgz   # coppice from this clone, packed with: npm run pack:all -- <folder>"
    : "npm install";
  const steps = [
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${shellWord(folder.startsWith("-") ? `./${folder}` : folder)}`]),
    install,
    "npm start",
    "npm test",
  ];
  return `wrote ${files.join(", ")}\n\nNext:\n${steps.map((step) => `  ${step}\n`).join("")}`;
}
