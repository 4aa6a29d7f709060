// biome-ignore lint/correctness/noUnusedImports: what JSX becomes
import React from "../react.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** CSS class of the element. */
  className?: string;
  /** Finished HTML that never changes (components/static.py). */
  html: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** Parts of the page that no callback touches, as one component: Dash looks after each of its own. */
const Markup = ({ id, className, html }: Props) => <div id={id} className={className} dangerouslySetInnerHTML={{ __html: html }} />;

export default Markup;
