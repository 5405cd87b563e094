import { evaluatorText, runText, searchText, testText } from "./project-modules.ts";

/** What a new project is written in. */
export type Language = "typescript" | "javascript";

/** Node only strips types: these check them. */
const TYPE_CHECK = { "@types/node": "^24.0.0", typescript: "^7.0.0" };

/** What a new project depends on: which versions of Node, and of these packages. */
export interface StarterNeeds {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Every file of a new project, by name. */
export function projectFiles(name: string, language: Language, needs: StarterNeeds): Readonly<Record<string, string>> {
  const typescript = language === "typescript";
  const extension = typescript ? "ts" : "js";
  return {
    "package.json": json(packageJson(name, typescript, needs)),
    ...(typescript ? { "tsconfig.json": json(tsconfig) } : {}),
    ".gitignore": "node_modules/\n.coppice/\n",
    "README.md": readme(name, typescript),
    [`evaluator.${extension}`]: evaluatorText(language),
    [`search.${extension}`]: searchText(language),
    [`search.test.${extension}`]: testText(language),
    [`run.${extension}`]: runText(language),
  };
}

function packageJson(name: string, typescript: boolean, { engines, dependencies }: StarterNeeds) {
  return {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    engines,
    scripts: {
      start: `coppice run run.${typescript ? "ts" : "js"}`,
      test: "node --test",
      ...(typescript ? { types: "tsc" } : {}),
    },
    dependencies,
    ...(typescript ? { devDependencies: TYPE_CHECK } : {}),
  };
}

/** What Node's own type stripping wants, and nothing more lenient than that. */
const tsconfig = {
  compilerOptions: {
    target: "esnext",
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
};

function readme(name: string, typescript: boolean): string {
  const extension = typescript ? "ts" : "js";
  return `# ${name}

A search that runs in parallel and ends with the same answer every time. \`npm install\`, then:

- \`npm start\` runs it on all cores; \`npx coppice run run.${extension} --workers 4 --seed 2\` as you say
- \`npx coppice resume 1\` continues run 1 after a crash, \`npx coppice runs\` lists what has been run
- \`npm test\` checks that 1 and 4 workers agree${typescript ? "; `npm run types` checks the types" : ""}

\`evaluator.${extension}\` is what is expensive: put your own there. \`search.${extension}\` decides what to try next.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
