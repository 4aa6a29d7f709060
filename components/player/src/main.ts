/** Everything that the Lab runs, in one file: its Dash components and clientside callbacks, and the start of a
 *  replay, which has no Dash and finds its own marks in the document. */

import "regenerator-runtime/runtime.js"; // the scripts of Dash's own components expect it
import Choices from "./components/Choices.tsx";
import { getPlayer } from "./components/context.ts";
import Panel from "./components/Panel.tsx";
import Player from "./components/Player.tsx";
import Select from "./components/Select.tsx";
import Sketch from "./components/Sketch.tsx";
import { startReplay } from "./replay.ts";
import { boot } from "./shell/boot.ts";
import { answered, entered } from "./shell/form.ts";
import { chooseNeuron, moveNeuron } from "./shell/hands.ts";
import { switchLetters } from "./shell/keys.ts";
import { lessonGoes } from "./shell/lesson.ts";
import { linked } from "./shell/link.ts";
import type { Specification } from "./shell/page.ts";
import { shared } from "./shell/share.ts";
import { slid } from "./shell/sliders.ts";

window.plateau_lab = { Choices, Panel, Player, Select, Sketch, getPlayer };
window.dash_clientside = Object.assign({}, window.dash_clientside, {
  shell: {
    boot: (specification: Specification) => boot(specification),
    shared,
    entered,
    answered,
    slid,
    chooseNeuron,
    moveNeuron,
    switchLetters,
    linked,
    lesson: lessonGoes,
  },
});
startReplay();
