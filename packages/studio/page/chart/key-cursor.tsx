import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { nextSpot, type Spot } from "./spots.ts";

interface KeyCursorProps {
  /** What is drawn. */
  readonly label: string;
  readonly class?: string;
  /** Where there are values, whenever a key is pressed. */
  readonly spots: () => readonly Spot[];
  /** Places so near to each other stand in one column, in pixels. */
  readonly columnWidth?: number;
  /** The drawing marks the place itself. */
  readonly marksItself?: boolean;
  /** A key led to a place, or away from all of them. */
  readonly onSpot: (spot: Spot | undefined) => void;
  /** Enter or space at a place, where a click does something. */
  readonly onPress?: (spot: Spot) => void;
  readonly children: ComponentChildren;
}

/** Lets arrow keys go from value to value of a drawing, as a pointer does. */
export function KeyCursor({
  label,
  spots,
  columnWidth,
  marksItself = false,
  onSpot,
  onPress,
  ...shown
}: KeyCursorProps) {
  const [spot, setSpot] = useState<Spot | undefined>(undefined);
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: "nearest", inline: "nearest" }), [spot]);
  const go = (to: Spot | undefined): void => {
    setSpot(to);
    onSpot(to);
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (spot !== undefined && (event.key === "Enter" || event.key === " ")) {
      onPress?.(spot);
      return onPress !== undefined;
    }
    if (event.key === "Escape" && spot !== undefined) go(undefined);
    const next = nextSpot(spots(), spot, event, columnWidth);
    if (next !== undefined) go(next);
    return next !== undefined;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing with keys of its own is no fieldset
    <div
      class={`by-keys ${shown.class ?? ""}`}
      role="group"
      aria-label={`${label}. Arrow keys go from value to value${onPress === undefined ? "" : ", Enter chooses"}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is read by keys must be reachable by them
      tabIndex={0}
      onKeyDown={(event) => press(event) && event.preventDefault()}
      onBlur={() => spot !== undefined && go(undefined)}
      onPointerMove={() => setSpot(undefined)}
    >
      {shown.children}
      {spot !== undefined && !marksItself && (
        <div ref={mark} class="spot" style={{ left: `${spot[0]}px`, top: `${spot[1]}px` }} />
      )}
    </div>
  );
}
