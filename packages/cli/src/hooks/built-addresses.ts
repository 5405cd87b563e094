const ADDRESS = /\bnew URL\(\s*"(\.[^"]*)\.ts",\s*import\.meta\.url/g;

/**
 * Sources name what they start by its address, `new URL("./worker.ts", import.meta.url)`; what is built from them has
 * another ending, and this is the one rule for it. With `js` the text keeps its length, and source maps stay exact.
 */
export function builtAddresses(code: string, ending: "js" | "mjs"): string {
  return code.replace(ADDRESS, (address, path: string) => address.replace(`"${path}.ts"`, `"${path}.${ending}"`));
}
