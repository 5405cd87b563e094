import { useSignal } from "@preact/signals";
import type { Marks } from "../../src/wire.ts";
import { ask } from "../connection.ts";

/** Tags and a note, kept beside the runs. */
export function MarksEditor({ path, marks }: { readonly path: string; readonly marks: Marks }) {
  const tags = useSignal(marks.tags.join(", "));
  const note = useSignal(marks.note);
  const said = useSignal("");
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await ask<Marks>(`${path}/marks`, "PUT", { tags: tags.value.split(","), note: note.value });
      said.value = "Saved.";
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <form class="panel" onSubmit={save} aria-label="Tags and note">
      <h2>Tags and note</h2>
      <label>
        Tags, with commas between
        <br />
        <input
          value={tags.value}
          onInput={({ currentTarget }) => {
            tags.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        Note
        <br />
        <textarea
          rows={4}
          cols={40}
          value={note.value}
          onInput={({ currentTarget }) => {
            note.value = currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <button type="submit" class="primary">
          Save
        </button>
        <span role="status" class="small muted">
          {said.value}
        </span>
      </div>
    </form>
  );
}
