import { extname } from "node:path";
import { describeFailure } from "./describe-failure.ts";

/** Why a user's module cannot be loaded, in one line: Node's own words, or what to do where those leave it open. */
export function loadFailure(error: unknown, path: string): string {
  const { type, message } = describeFailure(error);
  const [line] = message.trim().split("\n", 1);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return `Node runs no TypeScript below node_modules (${/"(?:file:\/\/)?([^"]*)"/.exec(line)?.[1] ?? path}): have that package built to JavaScript, or move the module into your project`;
  }
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    const [, name, importer] = /Cannot find (?:package|module) '([^']*)'(?: imported from (.*))?/.exec(line) ?? [];
    if (name !== undefined && !/^[./]|^[a-z]:[\\/]/i.test(name)) {
      const wanted = importer === undefined || importer === path ? "" : `, which ${importer} imports,`;
      return `the package "${packageOf(name)}"${wanted} is not installed: npm install ${packageOf(name)}`;
    }
  }
  if (type === "SyntaxError" && /import statement outside a module|Unexpected token 'export'/.test(line)) {
    const modules = extname(path).includes("ts") ? ".mts" : ".mjs";
    return `it uses import and export, but its package.json says "type": "commonjs": set "type": "module" there, or give it the ending ${modules}`;
  }
  return `${type}: ${line}`;
}

/** `@a/b/c` is part of the package `@a/b`. */
function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}
