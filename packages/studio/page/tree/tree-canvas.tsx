import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import type { DrawnTree } from "./drawn-tree.ts";
import type { Layout, Placed } from "./tree-layout.ts";
import { fitted, heightOf, placeAt, type Sight, treeScene } from "./tree-scene.ts";

const [FARTHEST, NEAREST] = [0.002, 3];
/** By how much a key or a button zooms. */
const STEP = 1.4;
/** Pixels by which a pointer must move to drag and not to click. */
const DRAGS = 4;

interface TreeCanvasProps {
  readonly nodes: DrawnTree;
  readonly layout: Layout;
  readonly chosen: Placed | undefined;
  /** How wide the drawing is, whenever it is drawn. */
  readonly onWidth: (width: number) => void;
  readonly onChoose: (place: Placed) => void;
  /** Folds or unfolds what was tried on an idea. */
  readonly onToggle: (idea: number) => void;
  /** What is said of a node under the pointer, or where the arrow keys led. */
  readonly says: (node: number) => string;
  readonly onSay: (text: string) => void;
}

/** A tree that is moved and zoomed by pointer, buttons or keys. */
export function TreeCanvas({ nodes, layout, chosen, onWidth, onChoose, onToggle, says, onSay }: TreeCanvasProps) {
  const room = useRef({ width: 600, height: heightOf(layout, 600) });
  const drag = useRef<{ x: number; y: number; moved: boolean; held: boolean } | undefined>(undefined);
  const [moved, setMoved] = useState<Sight | undefined>(undefined);
  const saysOf = (place: Placed | undefined) => (place === undefined ? "" : says(place.idea));
  // At first all of it is in sight.
  const sight = moved ?? fitted(layout, room.current);
  const scene = useCallback(
    (width: number) => {
      room.current = { width, height: heightOf(layout, width) };
      onWidth(width);
      return treeScene(nodes, layout, moved ?? fitted(layout, room.current), chosen, room.current);
    },
    [nodes, layout, moved, chosen, onWidth],
  );
  // what was chosen by a key may be out of sight
  useEffect(() => {
    if (chosen !== undefined && moved !== undefined) setMoved(inSight(moved, chosen, room.current));
  }, [chosen]);
  const zoom = (by: number, x = room.current.width / 2, y = room.current.height / 2): void => {
    const scale = Math.min(NEAREST, Math.max(FARTHEST, sight.scale * by));
    // What is under the pointer stays there.
    setMoved({ scale, x: sight.x + x / sight.scale - x / scale, y: sight.y + y / sight.scale - y / scale });
  };
  const go = (key: string): boolean => {
    if (key === "+" || key === "=") zoom(STEP);
    else if (key === "-") zoom(1 / STEP);
    else if (key === "0") setMoved(fitted(layout, room.current));
    else if (key === "Enter" && chosen !== undefined) onToggle(chosen.idea);
    else {
      const next = neighbour(layout, chosen, key);
      if (key.startsWith("Arrow")) onSay(saysOf(next ?? chosen));
      if (next === undefined) return key.startsWith("Arrow");
      if (moved === undefined) setMoved(inSight(sight, next, room.current));
      onChoose(next);
    }
    return true;
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing with keys of its own is no fieldset */}
      <div
        class={moved === undefined ? "pannable" : "pannable moved"}
        role="group"
        aria-label="The tree: arrow keys go from node to node, plus and minus zoom"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by keys must be reachable by them
        tabIndex={0}
        onKeyDown={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && go(event.key)) event.preventDefault();
        }}
        onWheel={(event) => {
          // Without Ctrl the page scrolls, as everywhere; pinching on a pad comes with it.
          if (!event.ctrlKey) return;
          event.preventDefault();
          zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
        }}
        onPointerDown={({ clientX, clientY }) => {
          drag.current = { x: clientX, y: clientY, moved: false, held: true };
        }}
        onPointerUp={() => {
          if (drag.current !== undefined) drag.current.held = false;
        }}
        onPointerMove={({ clientX, clientY, buttons, pointerId, currentTarget }) => {
          const from = drag.current;
          if (from === undefined || buttons === 0) return;
          const [right, down] = [clientX - from.x, clientY - from.y];
          if (!from.moved && Math.hypot(right, down) < DRAGS) return;
          if (!from.moved) currentTarget.setPointerCapture(pointerId);
          drag.current = { x: clientX, y: clientY, moved: true, held: true };
          setMoved({ ...sight, x: sight.x - right / sight.scale, y: sight.y - down / sight.scale });
        }}
      >
        <SceneCanvas
          scene={scene}
          label={`Tree of ${nodes.length - 1} nodes below its root; the numbers are in the table`}
          sayAt={(x, y) => (drag.current?.held === true ? "" : saysOf(placeAt(layout, sight, x, y)))}
          onSay={onSay}
          onPress={(x, y) => {
            const found = drag.current?.moved === true ? undefined : placeAt(layout, sight, x, y);
            if (found !== undefined) onChoose(found);
          }}
        />
      </div>
      <div class="row">
        <button type="button" aria-label="Larger" onClick={() => zoom(STEP)}>
          +
        </button>
        <button type="button" aria-label="Smaller" onClick={() => zoom(1 / STEP)}>
          −
        </button>
        <button type="button" onClick={() => setMoved(fitted(layout, room.current))}>
          Whole tree
        </button>
      </div>
    </>
  );
}

type Room = { readonly width: number; readonly height: number };

function inSight(sight: Sight, { x, y }: Placed, { width, height }: Room): Sight {
  const [right, down] = [(x - sight.x) * sight.scale, (y - sight.y) * sight.scale];
  if (right >= 0 && right < width - 60 && down >= 0 && down < height - 30) return sight;
  return { ...sight, x: Math.max(0, x - width / 3 / sight.scale), y: y - height / 2 / sight.scale };
}

/** Left is what an idea builds upon, right what was built upon it, up and down what is beside it. */
function neighbour({ places }: Layout, chosen: Placed | undefined, key: string): Placed | undefined {
  if (chosen === undefined)
    return key.startsWith("Arrow") ? places.find(({ parent }) => parent === undefined) : undefined;
  if (key === "ArrowLeft") return chosen.parent;
  if (key === "ArrowRight") return places.find(({ parent }) => parent === chosen);
  const column = places.filter(({ x }) => x === chosen.x);
  const at = column.indexOf(chosen);
  if (key === "ArrowUp") return column[at - 1];
  return key === "ArrowDown" ? column[at + 1] : undefined;
}
