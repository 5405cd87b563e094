import { crc32 } from "node:zlib";

/**
 * A journal line is one JSON object whose first field is a checksum of all that follows it:
 * `{"crc":"1a2b3c4d",<body>` with the body ending in `}`. Still plain NDJSON for any other reader.
 */
const PREFIX = '{"crc":"';
const BODY_AT = PREFIX.length + 8 + 2; // eight hex digits, then `",`

const PREFIX_BYTES = Buffer.from(PREFIX);
const QUOTE = 0x22;
const COMMA = 0x2c;

/** Seals a body (an object's text without its opening brace) into a line, newline included. */
export function seal(body: string): string {
  return `${PREFIX}${checksum(body)}",${body}\n`;
}

function checksum(body: string | Uint8Array): string {
  return hex(crc32(body));
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}

/** The body's bytes of a complete line (without newline), or what is wrong with it. */
export function unseal(
  line: Buffer,
): { readonly ok: true; readonly body: Buffer } | { readonly ok: false; readonly why: string } {
  if (!isSealed(line)) return { ok: false, why: "is not a journal line" };
  const body = line.subarray(BODY_AT);
  const written = writtenChecksum(line);
  const found = crc32(body);
  if (written === found) return { ok: true, body };
  const text = line.toString("latin1", PREFIX.length, PREFIX.length + 8);
  return { ok: false, why: `has checksum ${text}, but its content gives ${hex(found)}` };
}

// A journal of a million lines is opened byte by byte: no strings are made here.

function isSealed(line: Buffer): boolean {
  if (line.length <= BODY_AT || line[BODY_AT - 2] !== QUOTE || line[BODY_AT - 1] !== COMMA) return false;
  for (let i = 0; i < PREFIX_BYTES.length; i++) if (line[i] !== PREFIX_BYTES[i]) return false;
  return true;
}

/** The eight lower-case hex digits as a number; NaN if they are anything else. */
function writtenChecksum(line: Buffer): number {
  let value = 0;
  for (let i = PREFIX.length; i < PREFIX.length + 8; i++) {
    const digit = line[i];
    if (digit >= 0x30 && digit <= 0x39) value = value * 16 + digit - 0x30;
    else if (digit >= 0x61 && digit <= 0x66) value = value * 16 + digit - 0x57;
    else return Number.NaN;
  }
  return value;
}
