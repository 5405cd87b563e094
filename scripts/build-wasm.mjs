// Compiles AssemblyScript into texts that TypeScript modules import: `npm run wasm`. What is committed is what this makes, byte
// for byte, and a test says so; nobody who only runs Coppice needs the compiler.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

const programs = {
  hourMovesWasm: "hours/hour-moves",
  linesWasm: "kernel/compiled/lines",
};

for (const [name, path] of Object.entries(programs)) {
  const program = new URL(`../packages/airspace/src/network/${path}`, import.meta.url);
  const { error, stderr, binary } = await compile(program);
  if (error !== null || binary === undefined) throw new Error(`${error}\n${stderr}`);
  const file = path.split("/").at(-1);
  const text = `/** Compiled from ${file}.as by \`npm run wasm\`. */
export const ${name} =
  "${Buffer.from(binary).toString("base64")}";
`;
  const target = new URL(`${program}-wasm.ts`);
  if (process.argv.includes("--check")) {
    if (readFileSync(target, "utf8") !== text) throw new Error(`${file}-wasm.ts is not what \`npm run wasm\` makes`);
  } else writeFileSync(target, text);
}

/** Compiles a program and what it imports from beside it. */
async function compile(program) {
  let binary;
  const options = [
    "-O3",
    "--runtime",
    "stub",
    "--importMemory",
    "--noAssert",
    "--enable",
    "simd",
    "--outFile",
    "out.wasm",
  ];
  const entry = `${program}.as`.split("/").at(-1).replace(".as", ".ts");
  const { error, stderr } = await asc.main([entry, ...options], {
    readFile: (name) => {
      const source = new URL(name.replace(/\.ts$/, ".as"), program);
      return existsSync(source) ? readFileSync(source, "utf8") : null;
    },
    writeFile: (_name, contents) => {
      binary = contents;
    },
  });
  return { error, stderr: stderr.toString(), binary };
}
