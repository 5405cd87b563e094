/** A word of a command, without its quotes; what only the shell knows (`$HOME`, `$(date)`) is left as `$`. */
export interface Word {
  readonly text: string;
  /** Names of the placeholders in it; in `text` they are still `{name}`. */
  readonly placeholders: readonly string[];
  /** The shell may make none or many words of it: an expansion or a wildcard outside quotes. */
  readonly isUnsure: boolean;
}

/** A command in which a value would be read as something else than one value. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Whether `{name}` is a placeholder of this command; other braces (JSON, shell) are nobody's business. */
export type IsPlaceholder = (name: string) => boolean;

/** `{name}`, or `{{name}}`, which stands for the text `{name}`; `${name}` is the shell's own. */
const BRACES = /(?<!\$)(?:\{\{([A-Za-z][A-Za-z0-9]*)\}\}|\{([A-Za-z][A-Za-z0-9]*)\})/g;

/** A piece of a text: as it is, or a placeholder by its name. */
export type Piece = { readonly text: string } | { readonly name: string };

/** A text taken apart at its placeholders; doubled braces are single ones in what it returns. */
export function piecesOf(text: string, isPlaceholder: IsPlaceholder): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(BRACES)) {
    const [whole, literal, name] = match;
    if (!isPlaceholder(literal ?? name)) continue;
    pieces.push({ text: text.slice(from, match.index) });
    pieces.push(literal === undefined ? { name } : { text: `{${literal}}` });
    from = match.index + whole.length;
  }
  pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The names of a text's placeholders, in their order. */
export function namesIn(text: string, isPlaceholder: IsPlaceholder): readonly string[] {
  return piecesOf(text, isPlaceholder).flatMap((piece) => ("name" in piece ? [piece.name] : []));
}
