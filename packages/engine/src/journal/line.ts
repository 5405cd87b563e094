import { crc32 } from "node:zlib";

/**
 * A journal line is one JSON object whose first field is a checksum of all that follows it:
 * `{"crc":"1a2b3c4d",<body>` with the body ending in `}`. Still plain NDJSON for any other reader.
 */
const PREFIX = '{"crc":"';
const BODY_AT = PREFIX.length + 8 + 2; // eight hex digits, then `",`

const QUOTE = 0x22;
const COMMA = 0x2c;

/** Seals a body (an object's text without its opening brace) into a line, newline included. */
export function seal(body: string): string {
  return `${PREFIX}${checksum(body)}",${body}\n`;
}

function checksum(body: string | Uint8Array): string {
  return crc32(body).toString(16).padStart(8, "0");
}

/** The body's bytes of a complete line (without newline), or what is wrong with it. */
export function unseal(
  line: Buffer,
): { readonly ok: true; readonly body: Buffer } | { readonly ok: false; readonly why: string } {
  const sealed =
    line.length > BODY_AT &&
    line.toString("latin1", 0, PREFIX.length) === PREFIX &&
    line[BODY_AT - 2] === QUOTE &&
    line[BODY_AT - 1] === COMMA;
  if (!sealed) return { ok: false, why: "is not a journal line" };
  const body = line.subarray(BODY_AT);
  const written = line.toString("latin1", PREFIX.length, PREFIX.length + 8);
  const found = checksum(body);
  if (written !== found) return { ok: false, why: `has checksum ${written}, but its content gives ${found}` };
  return { ok: true, body };
}
