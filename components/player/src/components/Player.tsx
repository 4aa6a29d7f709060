import type React_ from "react";
import type { TimeName } from "../derive/view.ts";
import React from "../react.ts";
import { page, player } from "../shell/page.ts";
import type { RunStatus } from "../store/poll.ts";
import type { RaceEntry } from "../store/run.ts";
import type { EditTold, MomentTold } from "../view/events.ts";
import { mountParts } from "../view/mount.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** CSS class of the whole. */
  className?: string;
  /** The panels; they stand between the tabs of the methods and the timeline. */
  children?: React_.ReactNode;
  /** The parts of the timeline, as HTML (components/pages/lab/timeline.py). */
  timeline: string;
  /** The parts of the sentence about the moment, as HTML (components/pages/lab/timeline.py). */
  story: string;
  /** What stands above the timeline. */
  above?: React_.ReactNode;
  /** What stands beside the sentence. */
  beside?: React_.ReactNode;
  /** What stands below the sentence. */
  below?: React_.ReactNode;
  /** The runs to show: a list of {"id", "method", "query", "epochs"} and how each looks (components/common/run_styles.py). What is loaded already stays. */
  race?: object[];
  /** The moment, as an epoch; nothing means the latest frame, which is then followed. */
  at?: number;
  /** The name of the run whose pictures the one-run panels show. */
  selected?: string;
  /** What the horizontal axis of the histories counts. */
  xaxis?: "epoch" | "seconds" | "gradients" | "solves";
  /** The chosen neuron, counted from 1; 0 for none. */
  neuron?: number;
  /** Told every 150 ms at most, and when the moment rests: {"epoch", "run", "frames": {run id: frame}, "stage",
   *  "stages", "selected", "cause", "following", "playing", "sentence"}. */
  moment?: object;
  /** Told when the server has answered: one entry for each run, with "id", "method", "status", "epoch", "budget". */
  status?: object[];
  /** Told while the tables are on screen and old: {"run", "head", "count", "end", "status"}, the selected run, how many
   *  of its frames are shown where that is not all, how many stages it has, where its last plateau ends and whether there
   *  may be more. */
  stages?: object;
  /** Told while the tables are on screen and the record of forecasts is old: {"run", "head", "running", "forecasting"}. */
  record?: object;
  /** The network that was edited by hand, {"neuron", "b", "c", "loss", "loss_before", "method"}; null once dropped. */
  edit?: object;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** Plays one race of runs: tabs of the methods, a timeline with its stages, and the sentence about the moment.
 *  Every Panel on the page shows the same moment. One player a page. */
const Player = (props: Props) => {
  const { id, className, children, above, beside, below, race, at, selected, xaxis, neuron, setProps } = props;
  const [busy, setBusy] = React.useState(false);
  const tabs = React.useRef<HTMLDivElement>(null);
  const dock = React.useRef<HTMLDivElement>(null);
  const words = React.useRef<HTMLDivElement>(null);
  const tell = React.useRef(setProps);
  tell.current = setProps;

  React.useEffect(() => {
    const places = { tabs: tabs.current!, timeline: dock.current!, story: words.current! };
    const parts = new AbortController();
    page.timeline = mountParts(player, { ...places, tables: document.getElementById("run-tables") }, parts.signal);
    const ends = [
      player.on("moment", (moment: MomentTold) => tell.current?.({ moment })),
      player.on("status", (status: RunStatus[]) => tell.current?.({ status })),
      player.on("edit", (edit: EditTold | null) => tell.current?.({ edit: edit && { ...edit, neuron: edit.neuron + 1 } })),
      player.on("busy", setBusy),
      player.on("stages", (stages) => tell.current?.({ stages })),
      player.on("record", (record) => tell.current?.({ record })),
      player.on("selected", (method) => tell.current?.({ selected: method })),
      player.on("xaxis", (axis) => tell.current?.({ xaxis: axis })),
      player.on("neuron", (chosen) => tell.current?.({ neuron: chosen === null ? 0 : chosen + 1 })),
    ];
    return () => {
      for (const end of ends) end();
      parts.abort();
    };
  }, []);
  React.useEffect(() => {
    if (race) player.open(race as RaceEntry[], { at: at ?? null, selected: selected ?? null });
  }, [race]);
  React.useEffect(() => {
    if (at !== undefined && at !== null && at !== player.epoch) player.seek(at, "open");
  }, [at]);
  React.useEffect(() => {
    if (selected) player.select(selected, true);
  }, [selected]);
  React.useEffect(() => {
    if (xaxis) player.setAxis(xaxis as TimeName);
  }, [xaxis]);
  React.useEffect(() => {
    const chosen = neuron ? neuron - 1 : null;
    if (neuron !== undefined && chosen !== player.neuron) player.choose(chosen);
  }, [neuron]);

  return (
    <div id={id} className={className} aria-busy={busy}>
      <div id="method-tabs" ref={tabs} />
      {children}
      <div id="dock">
        {above}
        <div id="timeline" ref={dock} role="group" aria-label="Timeline" dangerouslySetInnerHTML={{ __html: props.timeline }} />
        <div className="moment">
          <div id="explanation" ref={words} dangerouslySetInnerHTML={{ __html: props.story }} />
          {beside}
        </div>
        {below}
      </div>
    </div>
  );
};

export default Player;
