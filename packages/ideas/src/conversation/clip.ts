/** The beginning of a text, with a mark where it was cut; never half of a character that takes two units. */
export function clip(text: string, mostChars: number): { readonly text: string; readonly leftOut: number } {
  if (text.length <= mostChars) return { text, leftOut: 0 };
  const splits = mostChars > 0 && isHighSurrogate(text.charCodeAt(mostChars - 1));
  const kept = text.slice(0, splits ? mostChars - 1 : mostChars);
  return { text: kept, leftOut: text.length - kept.length };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
