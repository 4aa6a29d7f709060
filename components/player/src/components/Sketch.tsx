import type React_ from "react";
import { Pad, type Row, widened } from "../draw/pad.ts";
import React from "../react.ts";

type Curve = { x: number[]; y: (number | null)[] };
/** Either the coordinates of some of the data, or the rows of somebody's own as they were given; `n` if drawn here. */
type Picture = { m: number; x?: number[]; y?: number[]; rows?: Row[]; curve?: Curve | null; editable: boolean; n?: number };

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** Id of the element. */
  element?: string;
  /** What is drawn: {"m", "x", "y", "curve", "editable"}, or "rows" of texts in place of the coordinates. */
  picture?: object;
  /** The points that were drawn by hand, as CSV. */
  csv?: string;
  /** How often they were changed by hand. */
  n_edits?: number;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

const EMPTY: Picture = { m: 0, rows: [], editable: false };
const MANY = 60;
const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, [contenteditable]";

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
const kindOf = (event: React_.PointerEvent): "touch" | "mouse" => (event.pointerType === "mouse" ? "mouse" : "touch");

/** A small picture of the data. Where they are somebody's own it is a pad to draw them on (draw/pad.ts); the text
 *  beside it holds the same points and is the way for the keyboard. */
const Sketch = ({ element, picture, setProps }: Props) => {
  const place = React.useRef<HTMLDivElement>(null);
  const times = React.useRef(0);
  const pad = React.useRef(new Pad()).current;
  const last = React.useRef<object | undefined>(undefined);
  const seen = React.useRef<object | undefined>(undefined);
  const [, count] = React.useState(0);
  const render = (): void => count((times) => times + 1);
  const { curve, editable, m, ...given } = (picture ?? EMPTY) as Picture;
  last.current = picture;
  // what comes while somebody draws is older than what is drawn; its own the pad knows
  if (picture !== seen.current && !pad.isHeld) {
    seen.current = picture;
    if (editable && !given.n) pad.adopt(given.rows ?? []);
  }

  const x = given.x ?? (editable ? pad.rows : (given.rows ?? [])).map((row) => Number(row[0]));
  const y = given.y ?? (editable ? pad.rows : (given.rows ?? [])).map((row) => Number(row[1]));
  const heights = curve?.y.filter((value) => value !== null) ?? [];
  const [x0, x1] = editable ? pad.x : widened([...x, ...(curve?.x ?? [])]);
  const [y0, y1] = editable ? pad.y : widened([...y, ...heights]);
  const right = (value: number): number => (value - x0) / (x1 - x0);
  const down = (value: number): number => (y1 - value) / (y1 - y0);
  const path = curve?.x.map((at, i) =>
    curve.y[i] === null ? "" : `${i && curve.y[i - 1] !== null ? "L" : "M"}${right(at)} ${down(curve.y[i])}`,
  );
  const radius = editable ? 4 : x.length > MANY ? 1.2 : 2;

  /** The points are others now: they are shown at once, and sent when the hand rests. */
  const changed = (): void => {
    times.current += 1;
    const drawn = { m: pad.rows.length, rows: pad.rows, editable: true, n: times.current };
    seen.current = last.current;
    setProps?.({ picture: drawn, csv: pad.text, n_edits: times.current });
    render();
  };
  const undo = (): void => {
    if (!pad.isHeld && pad.undo()) changed();
  };
  const back = React.useRef(undo);
  back.current = undo;
  const at = (event: React_.PointerEvent): [{ x: number; y: number }, { x: number; y: number }, "touch" | "mouse"] => {
    const box = place.current!.getBoundingClientRect();
    return [{ x: event.clientX - box.left, y: event.clientY - box.top }, { x: box.width, y: box.height }, kindOf(event)];
  };
  const press = (event: React_.PointerEvent): void => {
    if (!event.isPrimary || event.button !== 0) return;
    place.current!.setPointerCapture(event.pointerId);
    pad.press(...at(event));
  };
  const drag = (event: React_.PointerEvent): void => {
    // a busy page gets several places in one event
    const places = event.nativeEvent.getCoalescedEvents?.() ?? [];
    const moves = (places.length ? places : [event]) as React_.PointerEvent[];
    if (event.isPrimary && moves.map((each) => pad.drag(...at(each))).some(Boolean)) changed();
  };
  const release = (event: React_.PointerEvent): void => {
    if (event.isPrimary && pad.release(at(event)[1])) changed();
    else render(); // what came meanwhile
  };
  const cancel = (): void => {
    if (pad.cancel()) changed();
    else render();
  };

  React.useEffect(() => {
    if (!editable) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if ((event.target as Element).closest?.(TYPING) || !place.current?.checkVisibility()) return;
      event.preventDefault();
      back.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [editable]);

  const drawing = editable ? { onPointerDown: press, onPointerMove: drag, onPointerUp: release, onPointerCancel: cancel } : {};
  return (
    <>
      <div
        id={element}
        ref={place}
        className={editable ? "editable" : ""}
        role="img"
        aria-label={`Picture of ${editable ? pad.rows.length : m} data points`}
        {...drawing}
      >
        <svg aria-hidden="true">
          {y0 < 0 && y1 > 0 && <line className="axis" x1={0} x2="100%" y1={percent(down(0))} y2={percent(down(0))} />}
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {path && <path className="curve" vectorEffect="non-scaling-stroke" d={path.join("")} />}
          </svg>
          <g transform={`translate(${-radius} ${-radius})`}>
            {x.map((value, i) => (
              <rect key={i} className="datum" x={percent(right(value))} y={percent(down(y[i]))} width={2 * radius} height={2 * radius} />
            ))}
          </g>
          {editable && !x.length && (
            <text className="say" x="50%" y="50%">
              Tap or draw here
            </text>
          )}
        </svg>
      </div>
      {editable && (
        <div className="field-row pad-foot">
          <span className="note">
            {pad.isFull ? "No more points fit into the link." : "Tap: add or remove. Stroke: draw. Drag a point: move."}
          </span>
          <button id="undo-drawing" type="button" className="button" disabled={!pad.canUndo} title="Undo (Ctrl-Z)" onClick={undo}>
            Undo
          </button>
        </div>
      )}
    </>
  );
};

export default Sketch;
