/** How something stands, as a word with a mark of its own shape. */
export function StateMark({ state }: { readonly state: string }) {
  return <span class={`state ${state.replaceAll(" ", "-")}`}>{state}</span>;
}
