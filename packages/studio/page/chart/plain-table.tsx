/** A table for people: figures are text already. */
export interface PlainRows {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table that scrolls when it is wide; columns of nothing but numbers are to the right. */
export function PlainTable({ title, columns, rows }: PlainRows) {
  const looks = columns.map((_, column) => {
    return rows.every((row) => row[column] === "-" || Number.isFinite(Number(row[column]))) ? "number" : "";
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section class="scrolls" tabIndex={0} aria-label={`${title}, table`}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} class={looks[index]}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column} class={looks[column]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The same with its title above. */
export function TablePanel(table: PlainRows) {
  return (
    <section class="panel" aria-label={table.title}>
      <h2>{table.title}</h2>
      <PlainTable {...table} />
    </section>
  );
}
