import type React_ from "react";
import React from "../react.ts";

/** A text, the place of a living component among the children, or an element with its attributes and parts. */
type Part = string | number | [tag: string, attributes: Record<string, unknown>, ...parts: Part[]];

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** The components that stand between the elements. */
  children?: React_.ReactNode;
  /** The elements, which no callback names (components/pages/lab/still.py). */
  tree: unknown[];
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** Plain elements with living components in their places, as one component: Dash looks after each of its own. */
const Markup = ({ tree, children }: Props) => {
  const made = (part: Part): React_.ReactNode => {
    if (typeof part === "number") return (children as React_.ReactNode[])[part];
    return typeof part === "string" ? part : React.createElement(part[0], part[1], ...(part.slice(2) as Part[]).map(made));
  };
  return React.createElement(React.Fragment, null, ...(tree as Part[]).map(made));
};

export default Markup;
