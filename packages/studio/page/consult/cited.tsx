import type { Excerpt } from "@coppice/agents/view";
import { useState } from "preact/hooks";

interface CitedProps {
  readonly text: string;
  readonly excerpts: Readonly<Record<string, Excerpt>>;
}

/** A text of a stranger, in which citations of files open what they cite. */
export function Cited({ text, excerpts }: CitedProps) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  // The longest first, since one citation may begin like another.
  const cited = Object.keys(excerpts)
    .filter((each) => text.includes(each))
    .sort((a, b) => b.length - a.length);
  const shown = open === undefined ? undefined : excerpts[open];
  return (
    <>
      <p class="said">
        {parts(text, cited).map((part, index) => {
          const cite = cited.find((each) => part.includes(each));
          if (cite === undefined) return part;
          const at = part.indexOf(cite);
          return (
            <span class="whole" key={index}>
              {part.slice(0, at)}
              <button
                type="button"
                class="plain cite"
                aria-expanded={open === cite}
                onClick={() => setOpen(open === cite ? undefined : cite)}
              >
                {cite}
              </button>
              {part.slice(at + cite.length)}
            </span>
          );
        })}
      </p>
      {shown?.isChanged === true && (
        <p class="small bad-text">
          The file has changed since the run ended; these are its lines now. The run's report.html has those of then.
        </p>
      )}
      {open !== undefined && shown !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section class="excerpt" aria-label={`${open}, lines of the file`} tabIndex={0}>
          {shown.lines.map((line, index) => `${String(shown.first + index).padStart(5)}  ${line}\n`).join("")}
        </section>
      )}
    </>
  );
}

/** The text cut at what is cited; the brackets and stops around a citation stay on its line. */
function parts(text: string, cited: readonly string[]): readonly string[] {
  if (cited.length === 0) return [text];
  const any = cited.map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return text.split(new RegExp(`([(["']*(?:${any})[)\\]"'.,;:!?]*)`, "g")).filter((part) => part !== "");
}
