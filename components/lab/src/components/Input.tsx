// biome-ignore lint/correctness/noUnusedImports: what JSX becomes
import React from "../react.ts";

const FOREIGN = ["setProps", "children", "n_clicks", "loading_state"];

/** The browser's own <input> as a Dash component (see components/native.py). Uncontrolled: React renders it
 *  once, its value belongs to the form. */
const Input = (props: Record<string, unknown>) => {
  const own = Object.entries(props).filter(([key]) => !FOREIGN.includes(key) && !key.startsWith("_"));
  return <input {...Object.fromEntries(own)} />;
};

export default Input;
