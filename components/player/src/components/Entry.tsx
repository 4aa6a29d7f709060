import React from "../react.ts";
import { announce } from "../shell/page.ts";

type Props = {
  /** Unique name of the component in callbacks, such as {"type": "field", "name": "width"}. */
  id?: string;
  /** Id of the input itself, for its label. */
  element?: string;
  /** The options of a select, pairs of value and text; or of a heading and the options under it. */
  options?: unknown[];
  /** One line, a number, several lines, or a choice. */
  kind: "text" | "number" | "area" | "select";
  /** What it shows; set by callbacks, never told. Somebody who types is not interrupted. */
  text?: string;
  /** Told with what was entered, {"value", "done", "n"}: `done` when the hand lets go, else after a pause in typing. */
  edit?: object;
  /** A slider beside the number: its lower and upper end. */
  slider?: number[];
  /** The slider counts powers. */
  logarithmic?: boolean;
  /** Whole numbers only. */
  whole?: boolean;
  /** It cannot be changed now. */
  disabled?: boolean;
  /** What stands in it was refused. */
  invalid?: boolean;
  /** It is there to be read and copied. */
  readOnly?: boolean;
  /** How many lines a text area shows. */
  rows?: number;
  /** CSS class of the input. */
  className?: string;
  /** What stands there while it is empty. */
  placeholder?: string;
  /** Name for those who do not see its label. */
  label?: string;
  /** Ids of the elements that describe it. */
  describedBy?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

type Choice = [value: string, text: string | Choice[]];

const choice = ([value, text]: Choice) => {
  const one = typeof text === "string";
  return one ? <option key={value} value={value} children={text} /> : <optgroup key={value} label={value} children={text.map(choice)} />;
};

const PAUSE = 220;
const STEPS = 1000;

function placeOf(value: number, [low, high]: number[], log?: boolean): number {
  const share = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(STEPS * Math.min(1, Math.max(0, share || 0)));
}

function valueAt(place: number, [low, high]: number[], log?: boolean, whole?: boolean): number {
  const share = place / STEPS;
  const value = Number((log ? low * (high / low) ** share : low + share * (high - low)).toPrecision(log ? 2 : 3));
  return whole ? Math.max(low, Math.min(high, Math.round(value))) : value;
}

/** A native input, text area or choice, with a slider where it is a number with bounds. What is entered is told;
 *  what it shows is set by callbacks. */
const Entry = (props: Props) => {
  const { element, options = [], kind, text = "", slider, logarithmic, whole, disabled, invalid, className, placeholder } = props;
  const field = React.useRef<HTMLInputElement>(null);
  const range = React.useRef<HTMLInputElement>(null);
  const state = React.useRef({ n: 0, timer: 0, told: "", done: false, tell: props.setProps });
  state.current.tell = props.setProps;

  const slide = (): void => {
    const place = range.current;
    if (!place || !slider) return;
    place.value = String(placeOf(Number(field.current!.value), slider, logarithmic));
    place.style.setProperty("--fill", `${(100 * Number(place.value)) / STEPS}%`);
  };
  const tell = (done: boolean, enter = false): void => {
    const now = state.current;
    clearTimeout(now.timer);
    now.timer = 0;
    now.told = field.current!.value;
    now.done = done;
    now.n += 1;
    const edit = { value: now.told, done, enter, n: now.n };
    now.tell?.({ text: now.told, edit });
    announce(field.current!, props.id, edit);
  };
  const typed = (): void => {
    state.current.done = false;
    clearTimeout(state.current.timer);
    state.current.timer = window.setTimeout(() => tell(false), PAUSE);
  };

  React.useEffect(() => {
    const now = state.current;
    if (now.timer || text === now.told) return;
    const { selectionStart: from, selectionEnd: to, value: before } = field.current!;
    field.current!.value = text;
    // who has just come to a field and marked what stands there is about to write over it
    if (kind !== "select" && document.activeElement === field.current && before && from === 0 && to === before.length)
      field.current!.select();
    // a list of choices is none of the choices, but is shown
    if (kind === "select" && field.current!.value !== text)
      (field.current! as unknown as HTMLSelectElement).append(new Option(text, text, false, true));
    now.told = text;
    slide();
  }, [text]);
  React.useEffect(() => {
    // React has no name for the browser's own "change", which comes when the hand lets go
    // Enter has told it already, and that it is to be run
    const done = (): void => {
      const now = state.current;
      if (!now.done || field.current!.value !== now.told) tell(true);
    };
    const both = [field.current, range.current];
    for (const input of both) input?.addEventListener("change", done);
    return () => {
      for (const input of both) input?.removeEventListener("change", done);
    };
  }, []);

  const shared = {
    id: element,
    ref: field as never,
    disabled,
    "aria-invalid": invalid || undefined,
    "aria-describedby": props.describedBy,
    "aria-label": props.label,
    title: disabled ? "Given by the data" : undefined,
  };
  if (kind === "select") return <select {...shared}>{(options as Choice[]).map(choice)}</select>;
  const writing = { ...shared, placeholder, className, autoComplete: "off", spellCheck: false };
  if (kind === "area") return <textarea {...writing} rows={props.rows ?? 5} readOnly={props.readOnly} onInput={typed} />;
  const entered = (): void => {
    slide();
    typed();
  };
  const slid = (): void => {
    field.current!.value = String(valueAt(Number(range.current!.value), slider!, logarithmic, whole));
    slide();
    typed();
  };
  const isNumber = kind === "number";
  return (
    <>
      {slider && (
        <input
          ref={range}
          type="range"
          min={0}
          max={STEPS}
          step={whole ? 1 : "any"}
          tabIndex={-1}
          disabled={disabled}
          data-part="slider"
          aria-hidden="true"
          onInput={slid}
        />
      )}
      <input
        {...writing}
        type="text"
        inputMode={isNumber ? "decimal" : undefined}
        className={isNumber ? "number" : className}
        onInput={entered}
        onKeyDown={(event) => event.key === "Enter" && tell(true, true)}
      />
    </>
  );
};

export default Entry;
