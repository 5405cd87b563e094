import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResultsFormat } from "../settings.ts";
import { columnMeans, completeness, readResults, rowsWithin } from "./results-table.ts";

const csv: ResultsFormat = { format: "csv", idColumn: "config_id", errorColumn: "error" };
const read = (text: string) => readResults(text, csv, "results.csv");

test("results that cannot be read say where and why", () => {
  assert.throws(() => read(""), /results\.csv is empty/);
  assert.throws(() => read("config_id,speed\n"), /has a header but no row/);
  assert.throws(
    () => read("config_id,speed\n0,1\n1"),
    /line 3: 1 fields where the header has 2; the file may be cut off/,
  );
  assert.throws(() => read("config_id,speed\n0,1,2\n1,1"), /line 2: 3 fields where the header has 2$/);
  assert.throws(() => read('config_id,speed\n0,"1'), /line 2: a quoted field is not closed; the file may be cut off/);
  assert.throws(() => read('a,b\n"x"y,1'), /follows a closing quote/);
  assert.throws(() => read("speed,speed\n1,2"), /column "speed" is there twice/);
});

test("completeness with a limit wants every configuration once, none failed, a number in each primary cell", () => {
  const checked = (text: string) => completeness(read(text), 2, "speed");
  const whole = { expected: 2, uniqueIds: 2, ok: 2, errors: 0, complete: true };
  assert.deepEqual(checked("config_id,speed,error\n0,1,\n1,2,\n7,9,broken\n"), whole);
  assert.deepEqual(checked("config_id,speed,error\n0,1,\n1,2,boom\n"), { ...whole, ok: 1, errors: 1, complete: false });
  assert.deepEqual(checked("config_id,speed\n0,1\n1,NaN\n"), { ...whole, ok: 1, errors: 1, complete: false });
  assert.deepEqual(checked("config_id,speed\n0,1\n0,1\n"), { ...whole, uniqueIds: 1, complete: false });
  assert.deepEqual(checked("config_id,speed\n0,1\n0,1\n1,1\n"), { ...whole, ok: 3, complete: false });
  assert.deepEqual(checked("config_id,speed\n0,1\n"), { ...whole, uniqueIds: 1, ok: 1, complete: false });
  assert.equal(completeness(read("config_id,speed\n0,1\n"), null, "speed").complete, true);
});

test("rows below the limit count; without any number in the id column the first ones do", () => {
  const numbered = read("config_id,speed\n5,50\n0,10\nx,99\n1,20\n");
  assert.deepEqual(columnMeans(numbered, rowsWithin(numbered, 2)).speed, 15);
  const named = read("config_id,speed\na,1\nb,3\nc,100\n");
  assert.deepEqual(columnMeans(named, rowsWithin(named, 2)), { speed: 2 });
  assert.equal(rowsWithin(named, null).length, 3);
});

test("means are over finite cells only, and a column without any has none", () => {
  const table = read("config_id,a,b,c\n0,1,NaN,x\n1,inf,,y\n2,2e1,-Infinity,0x10\n");
  assert.deepEqual(columnMeans(table, table.rows), { config_id: 1, a: 10.5 });
});

test("one JSON object of numbers is one row", () => {
  const json: ResultsFormat = { ...csv, format: "json" };
  const table = readResults('{"speed": 2.5, "name": "x", "size": -1}', json, "out");
  assert.deepEqual(columnMeans(table, table.rows), { speed: 2.5, size: -1 });
  for (const text of ["", "[1]", "null", '{"a": "b"}', "{"])
    assert.throws(() => readResults(text, json, "out"), /^ResultsError: out /);
});
