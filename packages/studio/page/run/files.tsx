import { formatCount } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileRow } from "../../src/wire.ts";
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
    <section class="panel flush" aria-label="Files">
      <table>
        <thead>
          <tr>
            <th>File</th>
            <th class="number">Bytes</th>
            <th>Changed</th>
          </tr>
        </thead>
        <tbody>
          {files.value.map((file) => (
            <tr key={file.path}>
              <td>
                {embedded === undefined ? (
                  <a
                    href={address(`${path}/file?path=${encodeURIComponent(file.path)}`)}
                    target="_blank"
                    rel="noreferrer"
                  >
                    {file.path}
                  </a>
                ) : (
                  file.path
                )}
              </td>
              <td class="number">{formatCount(file.bytes)}</td>
              <td>{new Date(file.modifiedAt).toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
