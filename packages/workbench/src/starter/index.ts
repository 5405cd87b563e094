// A small project to start from: a search, an evaluator, a run and a test.
export { type Language, projectFiles, type StarterNeeds } from "./project-files.ts";
export { projectName } from "./project-name.ts";
export { writeProject } from "./write-project.ts";
