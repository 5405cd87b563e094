import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { csvText, readCsv, readCsvTable } from "./csv.ts";

test("any fields written as CSV are read back", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "ü") });
  const field = cell.map((text) => text.replace(/\r\n?/g, "\n"));
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      (records, end) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = records.map((record) => record.map(quoted).join(",")).join(end);
        assert.deepEqual(
          readCsv("a.csv", text).map(({ fields }) => fields),
          records,
        );
        const [columns, ...rows] = records;
        assert.deepEqual(
          readCsv("b.csv", csvText(columns, rows)).map(({ fields }) => fields),
          records,
        );
      },
    ),
  );
});

test("lines are counted through quoted newlines", () => {
  assert.deepEqual(readCsv("a.csv", 'a,b\n"1\n2",3\n\nx,y\n'), [
    { line: 1, fields: ["a", "b"] },
    { line: 2, fields: ["1\n2", "3"] },
    { line: 5, fields: ["x", "y"] },
  ]);
});

test("a quote that is not closed, or closed too early, is named with file and line", () => {
  assert.throws(
    () => readCsv("a.csv", 'a,b\n1,"2\n3,4\n'),
    /^UsageError: a\.csv line 2: a quoted field is not closed; the file may be cut off$/,
  );
  assert.throws(() => readCsv("a.csv", 'a,b\n"x"y,1'), /^UsageError: a\.csv line 2: "y" follows a closing quote/);
});

test("a table is read by column name, whatever the case and spaces of its header", () => {
  const text = '\uFEFFName, Size\r\n"a ""b"", c" , 3\n'.replace('" ,', '",');
  const [row, ...others] = readCsvTable("t.csv", `${text}  \n`, ["name", "size", "NAME"]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row.line, row.text("name"), row.text("NAME"), row.text("size"), row.integer("size", 0, 3), row.text("absent")],
    [2, 'a "b", c', 'a "b", c', "3", 3, ""],
  );
  assert.equal(row.numberOrZero("absent"), 0);
  assert.throws(() => row.numberOrZero("name"), /^UsageError: t\.csv line 2: name is .* not a finite number$/);
  assert.throws(() => row.integer("size", 0, 2), /line 2: size is "3"; it must be a whole number from 0 to 2$/);
});

test("a table without a column it needs, with one twice, or with a row too short, is refused", () => {
  assert.throws(() => readCsvTable("t.csv", "", ["a", "b"]), /^UsageError: t\.csv has no column a; it needs a,b$/);
  assert.throws(() => readCsvTable("t.csv", "a,A\n1,2\n", ["a"]), /^UsageError: t\.csv has the column a twice$/);
  assert.throws(
    () => readCsvTable("t.csv", "a,b\n1,2\n\n3\n", ["a"]),
    /^UsageError: t\.csv line 4: 1 fields where the header has 2$/,
  );
});
