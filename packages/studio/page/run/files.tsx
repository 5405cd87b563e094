import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileRow } from "../../src/wire.ts";
import { TablePanel } from "../chart/plain-table.tsx";
import { address, ask, embedded } from "../connection.ts";

/** The files of the run, to read or to save. */
export function Files({ path }: { readonly path: string }) {
  const files = useSignal<readonly FileRow[] | undefined>(undefined);
  useEffect(() => {
    void ask<readonly FileRow[]>(`${path}/files`).then((found) => {
      files.value = found;
    });
  }, [path, files]);
  if (files.value === undefined) return <p class="muted">Reading the folder …</p>;
  return (
    <TablePanel
      title="Files"
      columns={["File", "Bytes", "Changed"]}
      rows={files.value.map((file) => {
        const open = address(`${path}/file?path=${encodeURIComponent(file.path)}`);
        const shown = (
          <a href={open} target="_blank" rel="noreferrer">
            {file.path}
          </a>
        );
        const name = embedded === undefined ? { value: file.path, shown } : file.path;
        return [name, file.bytes, new Date(file.modifiedAt).toLocaleString()];
      })}
    />
  );
}
