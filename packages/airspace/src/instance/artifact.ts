import { createHash } from "node:crypto";
import { UsageError } from "@coppice/engine/usage-error";
import type { AirportDetails, Instance, VolumeDetails } from "./instance.ts";

/**
 * The instance file: a line `coppice-airspace <version> <sha256 of the rest> <header bytes>`, a line of JSON (readable
 * with `head -2`), then the arrays, each starting at a multiple of 8 bytes, little-endian.
 */
const MAGIC = "coppice-airspace";
const ARTIFACT_VERSION = 1;
/** The first line is padded to this, so that the checksum covers a fixed range. */
const FIRST_LINE_BYTES = 112;

type Numbers = Float64Array | Int32Array | Int16Array;
type NumberField = { [K in keyof Instance]-?: Instance[K] extends Numbers ? K : never }[keyof Instance];
type ArrayKind = "f64" | "i32" | "i16";

const numberFields: Readonly<Record<NumberField, ArrayKind>> = {
  volumeLatitude: "f64",
  volumeLongitude: "f64",
  capacity: "f64",
  flightOrigin: "i32",
  flightDestination: "i32",
  flightAirline: "i32",
  flightRoute: "i32",
  takeoffSecond: "f64",
  visitOffset: "i32",
  visitVolume: "i32",
  entrySecond: "f64",
  exitSecond: "f64",
  indexBin: "i32",
  visitFlow: "i16",
};
const textFields = ["flightIds"] as const;

interface Section {
  readonly kind: ArrayKind | "text";
  readonly length: number;
  /** Bytes from the end of the header. */
  readonly offset: number;
}

interface Header {
  readonly name: string;
  readonly start: string;
  readonly binMinutes: number;
  readonly binCount: number;
  readonly volumes: number;
  readonly flights: number;
  readonly visits: number;
  readonly volumeIds: readonly string[];
  readonly airports: readonly string[];
  /** Files written before these were known lack them. */
  readonly capacityFrom?: string;
  readonly volumeDetails?: readonly VolumeDetails[];
  readonly airportDetails?: readonly AirportDetails[];
  readonly airlines?: readonly string[];
  readonly routes?: readonly string[];
  readonly flowNames: readonly (readonly string[])[];
  readonly sections: Readonly<Record<string, Section | undefined>>;
}

/** Writes an instance as one file's bytes. */
export function encodeInstance(instance: Instance): Uint8Array<ArrayBuffer> {
  const parts: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  const sections: Record<string, Section> = {};
  let end = 0;
  const add = (name: string, kind: Section["kind"], length: number, bytes: Uint8Array): void => {
    sections[name] = { kind, length, offset: end };
    parts.push({ offset: end, bytes });
    end = roundUp8(end + bytes.length);
  };
  for (const [name, kind] of Object.entries(numberFields)) {
    const values = instance[name as NumberField];
    add(name, kind, values.length, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }
  for (const name of textFields) {
    const bytes = new TextEncoder().encode(JSON.stringify(instance[name]));
    add(name, "text", bytes.length, bytes);
  }
  const header: Header = {
    name: instance.name,
    start: instance.start,
    binMinutes: instance.binMinutes,
    binCount: instance.binCount,
    volumes: instance.volumeIds.length,
    flights: instance.flightIds.length,
    visits: instance.visitVolume.length,
    volumeIds: instance.volumeIds,
    airports: instance.airports,
    ...(instance.capacityFrom === undefined ? {} : { capacityFrom: instance.capacityFrom }),
    volumeDetails: instance.volumeDetails,
    airportDetails: instance.airportDetails,
    airlines: instance.airlines,
    routes: instance.routes,
    flowNames: instance.flowNames,
    sections,
  };
  const headerText = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const bodyStart = roundUp8(FIRST_LINE_BYTES + headerText.length);
  const file = new Uint8Array(bodyStart + end);
  file.fill(0x20, FIRST_LINE_BYTES + headerText.length, bodyStart);
  file.set(headerText, FIRST_LINE_BYTES);
  for (const part of parts) file.set(part.bytes, bodyStart + part.offset);
  const firstLine = `${MAGIC} ${ARTIFACT_VERSION} ${checksum(file)} ${headerText.length}`;
  file.set(new TextEncoder().encode(`${firstLine.padEnd(FIRST_LINE_BYTES - 1)}\n`), 0);
  return file;
}

/** Reads an instance file; the arrays are views into `bytes`, so a SharedArrayBuffer is shared, not copied. */
export function decodeInstance(bytes: Uint8Array, source: string): Instance {
  const firstLine = text(bytes.subarray(0, FIRST_LINE_BYTES)).trimEnd().split(" ");
  if (firstLine[0] !== MAGIC) {
    throw new UsageError(`${source}: not an airspace instance; make one with \`coppice flow import\``);
  }
  if (firstLine[1] !== String(ARTIFACT_VERSION)) {
    throw new UsageError(
      `${source}: instance version ${firstLine[1]}, this program reads version ${ARTIFACT_VERSION}; import the day again`,
    );
  }
  if (firstLine[2] !== checksum(bytes)) {
    throw new UsageError(`${source}: damaged (its checksum does not match its content); import the day again`);
  }
  const headerBytes = Number(firstLine[3]);
  const header: Header = JSON.parse(text(bytes.subarray(FIRST_LINE_BYTES, FIRST_LINE_BYTES + headerBytes)));
  const bodyStart = roundUp8(FIRST_LINE_BYTES + headerBytes);
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const numbers = (name: NumberField): Numbers => {
    const section = header.sections[name];
    if (section === undefined) return new Int32Array(header.flights).fill(-1);
    const { kind, length, offset } = section;
    const at = aligned.byteOffset + bodyStart + offset;
    if (kind === "f64") return new Float64Array(aligned.buffer, at, length);
    if (kind === "i32") return new Int32Array(aligned.buffer, at, length);
    return new Int16Array(aligned.buffer, at, length);
  };
  const texts = (name: (typeof textFields)[number]): readonly string[] => {
    const { length = 0, offset = 0 } = header.sections[name] ?? {};
    return JSON.parse(text(aligned.subarray(bodyStart + offset, bodyStart + offset + length)));
  };
  const arrays = Object.fromEntries(
    Object.keys(numberFields).map((name) => [name, numbers(name as NumberField)]),
  ) as unknown as Pick<Instance, NumberField>;
  return {
    name: header.name,
    start: header.start,
    binMinutes: header.binMinutes,
    binCount: header.binCount,
    volumeIds: header.volumeIds,
    airports: header.airports,
    ...(header.capacityFrom === undefined ? {} : { capacityFrom: header.capacityFrom }),
    volumeDetails: header.volumeDetails ?? header.volumeIds.map(() => ({})),
    airportDetails: header.airportDetails ?? header.airports.map(() => ({})),
    airlines: header.airlines ?? [],
    routes: header.routes ?? [],
    flowNames: header.flowNames,
    flightIds: texts("flightIds"),
    ...arrays,
  };
}

/** SHA-256 of everything after the first line. */
function checksum(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes.subarray(FIRST_LINE_BYTES)).digest("hex");
}

/** Decodes a copy where the bytes are shared between threads, which TextDecoder refuses. */
function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes);
}

function roundUp8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
