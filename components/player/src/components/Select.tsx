import React from "../react.ts";

type Props = {
  /** Unique name of the component in callbacks, such as {"type": "field", "name": "sampling"}. */
  id?: string;
  /** What can be chosen: pairs of value and text, or of a heading and the pairs under it. */
  options?: unknown[];
  /** What is chosen; set by callbacks too. A value that is no option is shown as it is. */
  value?: string;
  /** It cannot be changed now. */
  disabled?: boolean;
  /** Name for those who do not see its label. */
  label?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

type Choice = [value: string, text: string | Choice[]];

const shown = ([value, text]: Choice) =>
  typeof text === "string" ? (
    <option key={value} value={value}>
      {text}
    </option>
  ) : (
    <optgroup key={value} label={value}>
      {text.map(shown)}
    </optgroup>
  );

const values = ([value, text]: Choice): string[] => (typeof text === "string" ? [value] : text.flatMap(values));

/** The browser's own list of choices, used like dcc.Dropdown. That one has a focusable part that assistive technology
 *  cannot see, knows no headings, and is no wheel on a phone. */
const Select = (props: Props) => {
  const { id, options = [], value = "", disabled, label, setProps } = props;
  const choices = options as Choice[];
  return (
    <select id={id} value={value} disabled={disabled} aria-label={label} onChange={(event) => setProps?.({ value: event.target.value })}>
      {choices.map(shown)}
      {!choices.flatMap(values).includes(value) && <option value={value}>{value}</option>}
    </select>
  );
};

export default Select;
