import { formatCount } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileRow } from "../../src/wire.ts";
import { ask, askText } from "../connection.ts";
import { LongText } from "../long-text.tsx";

interface IdeaFilesProps {
  /** Of the run, at the server. */
  readonly path: string;
  /** In the run's folder: of the idea itself. */
  readonly folder: string | undefined;
  /** Of its node: how their paths begin. */
  readonly ofNode: readonly string[];
}

/** Letters of a file that are shown: its last ones, of a diff its first. */
const MOST_LETTERS = 50_000;
const MOST_BYTES = 5_000_000;

/** What an idea left in the run's folder: its change, reviews, what each step printed and was asked. */
export function IdeaFiles({ path, folder, ofNode }: IdeaFilesProps) {
  const files = useSignal<readonly FileRow[]>([]);
  useEffect(() => {
    files.value = [];
    ask<readonly FileRow[]>(`${path}/files`).then(
      (found) => {
        files.value = found.filter(({ path, bytes }) => {
          const isOfNode = /\.(log|md)$/.test(path) && ofNode.some((start) => path.startsWith(start));
          return bytes > 0 && (isOfNode || (folder !== undefined && path.startsWith(`${folder}/`)));
        });
      },
      () => {},
    );
  }, [path, folder, ofNode.join(), files]);
  return (
    <>
      {files.value.map((file) => (
        <IdeaFile key={file.path} path={path} file={file} name={nameOf(file.path, folder)} />
      ))}
    </>
  );
}

/** Without the folder that is the idea's own. */
function nameOf(path: string, folder: string | undefined): string {
  return folder !== undefined && path.startsWith(`${folder}/`)
    ? path.slice(folder.length + 1)
    : path.replace(/^logs\//, "");
}

interface IdeaFileProps {
  readonly path: string;
  readonly file: FileRow;
  readonly name: string;
}

function IdeaFile({ path, file, name }: IdeaFileProps) {
  const text = useSignal<string | undefined>(undefined);
  const read = (): void => {
    if (text.value !== undefined) return;
    if (file.bytes > MOST_BYTES) {
      text.value = "It is too long to be shown here; it is among the run's files.";
      return;
    }
    askText(`${path}/file?path=${encodeURIComponent(file.path)}`).then(
      (whole) => {
        const isDiff = name.endsWith(".diff");
        const cut = isDiff ? `${whole.slice(0, MOST_LETTERS)}\n…` : `…\n${whole.slice(-MOST_LETTERS)}`;
        text.value = whole.length <= MOST_LETTERS ? whole : cut;
      },
      (error: Error) => {
        text.value = error.message;
      },
    );
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && read()}>
      <summary>
        {name} <span class="muted small">{formatCount(file.bytes)} bytes</span>
      </summary>
      <LongText text={text.value ?? "Reading …"} />
    </details>
  );
}
