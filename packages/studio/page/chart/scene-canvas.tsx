import { useEffect, useRef, useState } from "preact/hooks";
import { palette, shown } from "../theme.ts";
import { draw, type Scene } from "./scene.ts";

interface SceneCanvasProps {
  /** The drawing at a width; drawn again when this is another function. */
  readonly scene: (width: number) => Scene;
  readonly label: string;
  /** It may be higher than a screen, and is then scrolled. */
  readonly scrolls?: boolean;
  readonly onPoint: (x: number, y: number, width: number) => void;
  readonly onLeave: () => void;
  readonly onPress?: (x: number, y: number, width: number) => void;
}

/** A drawing as wide as there is room. */
export function SceneCanvas({ scene, label, scrolls = false, onPoint, onLeave, onPress }: SceneCanvasProps) {
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
  return (
    // What scrolls must be reachable from the keyboard.
    <div class={scrolls ? "drawing scrolls" : "drawing"} ref={place} {...(scrolls ? { tabIndex: 0 } : {})}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerMove={({ offsetX, offsetY }) => onPoint(offsetX, offsetY, width)}
        onPointerLeave={onLeave}
        {...(onPress === undefined
          ? {}
          : { onClick: ({ offsetX, offsetY }: MouseEvent) => onPress(offsetX, offsetY, width) })}
      />
    </div>
  );
}
