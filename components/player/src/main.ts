/** Everything that the pages run, in one file: the Dash components and clientside callbacks of the Lab, and the
 *  starts of the pages that have no Dash, which find their own marks in the document. */

import "regenerator-runtime/runtime.js"; // the scripts of Dash's own components expect it
import { getPlayer } from "./components/context.ts";
import Entry from "./components/Entry.tsx";
import Form from "./components/Form.tsx";
import Markup from "./components/Markup.tsx";
import Panel from "./components/Panel.tsx";
import Player from "./components/Player.tsx";
import Sketch from "./components/Sketch.tsx";
import Tick from "./components/Tick.tsx";
import { startPaper } from "./paper.ts";
import { startReplay } from "./replay.ts";
import { boot } from "./shell/boot.ts";
import { lessonGoes } from "./shell/lesson.ts";
import type { Specification } from "./shell/page.ts";
import { shared } from "./shell/share.ts";

window.plateau_lab = { Entry, Form, Markup, Panel, Player, Sketch, Tick, getPlayer };
window.dash_clientside = Object.assign({}, window.dash_clientside, {
  shell: {
    boot: (specification: Specification) => boot(specification),
    shared,
    axis: (edit: { value: string } | null) => edit?.value ?? window.dash_clientside.no_update,
    axisShown: (axis: string) => axis,
    lesson: lessonGoes,
  },
});
startReplay();
startPaper();
