// Compiles the AssemblyScript beside a TypeScript module into a text that the module imports: `npm run wasm`. What is
// committed is what this makes, byte for byte, and a test says so; nobody who only runs Coppice needs the compiler.
import { readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

const source = new URL("../packages/airspace/src/network/hours/hour-moves.as", import.meta.url);
const target = new URL("./hour-moves-wasm.ts", source);

const { error, stderr, binary } = await compile(readFileSync(source, "utf8"));
if (error !== null || binary === undefined) throw new Error(`${error}\n${stderr}`);
const text = `/** Compiled from hour-moves.as by \`npm run wasm\`. */
export const hourMovesWasm =
  "${Buffer.from(binary).toString("base64")}";
`;
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) throw new Error("hour-moves-wasm.ts is not what `npm run wasm` makes");
} else writeFileSync(target, text);

async function compile(program) {
  let binary;
  const options = ["-O3", "--runtime", "stub", "--importMemory", "--noAssert", "--outFile", "out.wasm"];
  const { error, stderr } = await asc.main(["program.ts", ...options], {
    readFile: (name) => (name === "program.ts" ? program : null),
    writeFile: (_name, contents) => {
      binary = contents;
    },
  });
  return { error, stderr: stderr.toString(), binary };
}
