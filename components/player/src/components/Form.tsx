import React from "../react.ts";
import { take } from "../shell/form.ts";
import type { Answer } from "../shell/page.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** Told when something was done: {"serial", "cause", "config", "view", "edits", "shown"} (components/pages/lab/form_answer.py). */
  question?: object;
  /** What it came to; the link is written as soon as it is here. */
  answer?: object;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** The settings' line to the server; it shows nothing itself. */
const Form = ({ answer }: Props) => {
  React.useLayoutEffect(() => {
    if (answer) take(answer as Answer);
  }, [answer]);
  return null;
};

export default Form;
