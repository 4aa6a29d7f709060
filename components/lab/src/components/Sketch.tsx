import React from "../react.ts";
import { announce } from "../shell/page.ts";

type Curve = { x: number[]; y: (number | null)[] };
/** Either the coordinates of some of the data, or the rows of somebody's own as they were given. */
type Picture = { m: number; x?: number[]; y?: number[]; rows?: string[][]; curve?: Curve | null; editable: boolean };

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** Id of the element. */
  element?: string;
  /** What is drawn: {"m", "x", "y", "curve", "editable"}, or "rows" of texts in place of the coordinates. */
  picture?: object;
  /** Told when a point was added or taken away: {"value": the points as CSV, "done", "n"}. */
  edit?: object;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

const EMPTY: Picture = { m: 0, rows: [], editable: false };
const MANY = 60;
/** Milliseconds within which an answer to a click has come. */
const ANSWERED = 2000;

function widened(values: number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? [low - 0.06 * (high - low), high + 0.06 * (high - low)] : [low - 1, high + 1];
}

/** Room to click in: from -1 to 1, or around data that are on another scale. */
function room(values: number[], editable: boolean): number[] {
  if (!values.length || (editable && values.every((value) => Math.abs(value) <= 1))) return [-1, 1];
  if (!editable) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [low - 0.1 * (high - low), high + 0.1 * (high - low)];
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

const nice = (value: number, range: number): number => Number(value.toFixed(Math.max(0, 3 - Math.ceil(Math.log10(range)))));

/** A small picture of the data. Where they are somebody's own it is an editor: a click adds a point, a click on a
 *  point takes it away; the text beside it holds the same points and is the way for the keyboard. */
const Sketch = ({ id, element, picture, setProps }: Props) => {
  const place = React.useRef<HTMLDivElement>(null);
  const times = React.useRef(0);
  // the next click may come before the last one is answered: until then the own points count
  const own = React.useRef<{ rows: string[][]; until: number }>({ rows: [], until: 0 });
  const { curve, editable, m, rows: told = [], ...given } = (picture ?? EMPTY) as Picture;
  const rows = editable && performance.now() < own.current.until ? own.current.rows : told;
  const x = given.x ?? rows.map((row) => Number(row[0]));
  const y = given.y ?? rows.map((row) => Number(row[1]));
  const [x0, x1] = widened([...x, ...(curve?.x ?? []), ...room(x, editable)]);
  const [y0, y1] = widened([...y, ...(curve?.y.filter((value) => value !== null) ?? []), ...room(y, editable)]);
  const right = (value: number): number => (value - x0) / (x1 - x0);
  const down = (value: number): number => (y1 - value) / (y1 - y0);
  const path = curve?.x.map((at, i) =>
    curve.y[i] === null ? "" : `${i && curve.y[i - 1] !== null ? "L" : "M"}${right(at)} ${down(curve.y[i])}`,
  );
  const radius = editable ? 4 : x.length > MANY ? 1.2 : 2;

  const click = (event: { clientX: number; clientY: number; target: EventTarget }): void => {
    if (!editable) return;
    const box = place.current!.getBoundingClientRect();
    const index = (event.target as SVGElement).dataset.index;
    const points = [...rows];
    const at = x0 + ((event.clientX - box.left) / box.width) * (x1 - x0);
    const value = y1 - ((event.clientY - box.top) / box.height) * (y1 - y0);
    if (index !== undefined) points.splice(Number(index), 1);
    else points.push([nice(at, x1 - x0), nice(value, y1 - y0)].map(String));
    points.sort((one, two) => Number(one[0]) - Number(two[0]));
    times.current += 1;
    own.current = { rows: points, until: performance.now() + ANSWERED };
    const drawn = { m: points.length, rows: points, editable };
    const edit = { value: points.map((point) => point.join(", ")).join("\n"), done: true, n: times.current };
    setProps?.({ picture: drawn, edit });
    announce(place.current!, id, edit);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text area beside it is the way for the keyboard
    <div
      id={element}
      ref={place}
      className={editable ? "editable" : ""}
      role="img"
      aria-label={`Picture of ${m} data points`}
      onClick={click}
    >
      <svg aria-hidden="true">
        {y0 < 0 && y1 > 0 && <line className="axis" x1={0} x2="100%" y1={percent(down(0))} y2={percent(down(0))} />}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {path && <path className="curve" vectorEffect="non-scaling-stroke" d={path.join("")} />}
        </svg>
        <g transform={`translate(${-radius} ${-radius})`}>
          {x.map((at, i) => (
            <rect
              key={at}
              className="datum"
              data-index={i}
              x={percent(right(at))}
              y={percent(down(y[i]))}
              width={2 * radius}
              height={2 * radius}
            />
          ))}
        </g>
        {editable && !x.length && (
          <text className="say" x="50%" y="50%">
            Click to add points
          </text>
        )}
      </svg>
    </div>
  );
};

export default Sketch;
