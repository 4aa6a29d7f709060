import React from "../react.ts";
import { announce } from "../shell/page.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** Id of the input itself. */
  element?: string;
  /** Whether it is ticked; set by callbacks. */
  on?: boolean;
  /** Told when it was ticked or cleared: {"value", "done", "n"}. */
  edit?: object;
  /** One of several, of which one is on: the name that they share. */
  group?: string;
  /** Name for those who do not see its label. */
  label?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** A check box, or one of a group of radio buttons. */
const Tick = ({ id, element, on = false, group, label, setProps }: Props) => {
  const box = React.useRef<HTMLInputElement>(null);
  const times = React.useRef(0);
  React.useEffect(() => {
    box.current!.checked = on;
  }, [on]);
  const change = (): void => {
    times.current += 1;
    const value = box.current!.checked;
    const edit = { value, done: true, n: times.current };
    setProps?.({ on: value, edit });
    announce(box.current!, id, edit);
  };
  return <input ref={box} id={element} type={group ? "radio" : "checkbox"} name={group} aria-label={label} onChange={change} />;
};

export default Tick;
