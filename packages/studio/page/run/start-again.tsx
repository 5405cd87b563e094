import { useState } from "preact/hooks";

interface StartAgainProps {
  readonly words: readonly string[];
  readonly onStart: (words: readonly string[], command: string) => void;
}

/** The words of a run's command to be changed, and the exact command they are. */
export function StartAgain({ words: first, onStart }: StartAgainProps) {
  const [words, setWords] = useState(first);
  const given = words.filter((word, at) => at === 0 || word !== "");
  const command = `coppice ${given.map(quoted).join(" ")}`;
  return (
    <details class="again">
      <summary>Start again with changed options</summary>
      <div class="row">
        {words.map((word, at) => (
          <input
            key={at}
            value={word}
            size={Math.min(40, Math.max(6, word.length))}
            disabled={at === 0}
            aria-label={at > 0 && words[at - 1].startsWith("--") ? `after ${words[at - 1]}` : `word ${at + 1}`}
            onInput={({ currentTarget }) => setWords(words.with(at, currentTarget.value))}
          />
        ))}
        <button type="button" onClick={() => setWords([...words, ""])}>
          Another word
        </button>
      </div>
      <div class="command">
        <button type="button" onClick={() => onStart(given, command)}>
          Start
        </button>
        <code>{command}</code>
      </div>
    </details>
  );
}

/** As a shell would be given it; only for people: no shell is started. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
