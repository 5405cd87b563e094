import { useEffect, useRef, useState } from "preact/hooks";
import { palette, shown } from "../theme.ts";
import { KeyCursor } from "./key-cursor.tsx";
import { draw, type Scene } from "./scene.ts";
import type { Spot } from "./spots.ts";

interface SceneCanvasProps {
  /** The drawing at a width; drawn again when this is another function. */
  readonly scene: (width: number) => Scene;
  readonly label: string;
  /** It may be higher than a screen, and is then scrolled. */
  readonly scrolls?: boolean;
  /** What is at a point, in words. */
  readonly sayAt: (x: number, y: number, width: number) => string;
  readonly onSay: (text: string) => void;
  /** Where arrow keys go; a drawing without has keys of its own. */
  readonly spots?: (width: number) => readonly Spot[];
  readonly columnWidth?: number;
  readonly onPress?: (x: number, y: number, width: number) => void;
}

/** A drawing as wide as there is room, with words for what is under the pointer or where the arrow keys led. */
export function SceneCanvas(props: SceneCanvasProps) {
  const { scene, label, scrolls = false, sayAt, onSay, spots, columnWidth, onPress } = props;
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const scheme = shown.value;
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(current.clientWidth));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  // other colours are another drawing
  useEffect(() => {
    if (canvas.current !== null && width > 0) draw(scene(width), canvas.current, palette());
  }, [scene, width, scheme]);
  const drawing = (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      onPointerMove={({ offsetX, offsetY }) => onSay(sayAt(offsetX, offsetY, width))}
      onPointerLeave={() => onSay("")}
      {...(onPress === undefined
        ? {}
        : { onClick: ({ offsetX, offsetY }: MouseEvent) => onPress(offsetX, offsetY, width) })}
    />
  );
  return (
    <div class={scrolls ? "drawing scrolls" : "drawing"} ref={place}>
      {spots === undefined ? (
        drawing
      ) : (
        <KeyCursor
          label={label}
          spots={() => spots(width)}
          {...(columnWidth === undefined ? {} : { columnWidth })}
          onSpot={(spot) => onSay(spot === undefined ? "" : sayAt(...spot, width))}
          {...(onPress === undefined ? {} : { onPress: (spot: Spot) => onPress(...spot, width) })}
        >
          {drawing}
        </KeyCursor>
      )}
    </div>
  );
}
