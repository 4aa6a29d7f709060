import React from "../react.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** What can be chosen: a list of {"value", "label"}, with "title" (shown on hover) and "help" (read in place of the label)
   *  where they are wanted. */
  options?: object[];
  /** What is chosen: a list of values, or one value where only one can be. */
  value?: string[] | string;
  /** Several can be chosen. */
  multiple?: boolean;
  /** CSS class of each option's label. */
  optionClassName?: string;
  /** Each option carries its value in this data attribute, for styles: "method" makes it data-method. */
  marks?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

type Option = { value: string; label: string; title?: string; help?: string };

/** Check boxes, or radio buttons where one of them is on; used like dcc.Checklist and dcc.RadioItems, whose boxes stand
 *  inside of list options, where assistive technology cannot reach them. */
const Choices = (props: Props) => {
  const { id, options = [], value = [], multiple, optionClassName, marks, setProps } = props;
  const chosen = typeof value === "string" ? [value] : value;
  const change = (option: string, on: boolean): void =>
    setProps?.({ value: multiple ? [...chosen.filter((other) => other !== option), ...(on ? [option] : [])] : option });
  return (
    <>
      {(options as Option[]).map(({ value: option, label, title, help }) => (
        <label key={option} className={optionClassName} title={title} {...(marks ? { [`data-${marks}`]: option } : {})}>
          <input
            type={multiple ? "checkbox" : "radio"}
            name={multiple ? undefined : id}
            value={option}
            checked={chosen.includes(option)}
            aria-label={help}
            onChange={(event) => change(option, event.target.checked)}
          />
          {marks && <span className="swatch" aria-hidden="true" />}
          <span>{label}</span>
        </label>
      ))}
    </>
  );
};

export default Choices;
