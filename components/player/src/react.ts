/** React as the page has it: Dash brings it, and a page without Dash never renders a component. */

import type * as Kind from "react";

export default (globalThis as unknown as { React: typeof Kind }).React;
