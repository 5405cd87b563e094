/** One way to write all numbers of a column, so that they can be compared by looking: as many decimals as they need, few where they are large. */
export function columnFormat(numbers: readonly number[]): (value: number) => string {
  const sizes = numbers.filter((value) => value !== 0 && Number.isFinite(value)).map(Math.abs);
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const limit = most >= 1000 ? 2 : most >= 1 ? 4 : 6;
  if (most >= 1e15 || least < 10 ** -limit) return (value) => (value === 0 ? "0" : value.toExponential(3));
  const needed = numbers.reduce((digits, value) => Math.max(digits, decimalsOf(value)), 0);
  const decimals = Math.min(limit, needed);
  return (value) => {
    const [whole, part] = value.toFixed(decimals).split(".");
    const grouped = whole.replace("-", "").replace(/\B(?=(?:\d{3})+$)/g, ",");
    return `${value < 0 ? "−" : ""}${grouped}${part === undefined ? "" : `.${part}`}`;
  };
}

/** Of what six significant digits say. */
function decimalsOf(value: number): number {
  const text = String(Number(value.toPrecision(6)));
  return text.includes("e") || !text.includes(".") ? 0 : text.length - text.indexOf(".") - 1;
}
