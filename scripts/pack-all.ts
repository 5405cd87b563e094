// `npm run pack:all -- <folder>`: builds every package and writes the tarballs there.
import { packAll } from "./pack/pack.ts";

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error("usage: npm run pack:all -- <folder>");
  process.exit(2);
}
for (const { name, version, file, size, unpackedSize } of await packAll(folder)) {
  console.log(`${name}@${version}  ${kilobytes(size)} KB, unpacked ${kilobytes(unpackedSize)} KB  ${file}`);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
