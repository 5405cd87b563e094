/** A text as it was printed. A long one scrolls, and so must be reachable from the keyboard. */
export function LongText({ text, bad = false }: { readonly text: string; readonly bad?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre tabIndex={0} class={bad ? "bad-text" : ""}>
      {text}
    </pre>
  );
}
