import type React_ from "react";
import type { TimeName } from "../derive/view.ts";
import { drag } from "../plugins/drag.ts";
import { forecast } from "../plugins/forecast.ts";
import React from "../react.ts";
import type { RaceEntry } from "../store/run.ts";
import { mountParts } from "../view/mount.ts";
import { Player as Kernel } from "../view/player.ts";
import { offer, PlayerContext } from "./context.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** CSS class of the whole. */
  className?: string;
  /** The panels, anywhere inside; they stand between the tabs of the runs and the timeline. */
  children?: React_.ReactNode;
  /** The parts of the timeline, as HTML (components/player/parts.py). */
  timeline: string;
  /** The parts of the sentence about the moment, as HTML (components/player/parts.py). */
  story: string;
  /** Ids of the parts, for styles: "tabs", "bar", "timeline", "story". */
  ids?: { [part: string]: string };
  /** Id of the element with the tables of plateaus, forecasts and stages, if the page has them. */
  tables?: string;
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
  /** The run whose pictures the one-run panels show, by its name: that of its method, where this tells the runs apart.
   *  Told when runs are opened and when the tabs choose another; set by a callback, it is as if the tabs had. */
  selected?: string;
  /** What the horizontal axis of the histories counts: a key of components/common/view.py's TIMES. */
  xaxis?: string;
  /** The part of the time axis that is looked at, [from, to] in what it counts; nothing for all of it. */
  zoom?: number[];
  /** The chosen neuron, counted from 1; 0 for none. */
  neuron?: number;
  /** Told every 150 ms at most, and when the moment rests: {"epoch", "run", "frames": {run id: frame}, "stage",
   *  "stages", "selected", "cause", "following", "playing", "sentence"}. */
  moment?: object;
  /** Told when the server has answered: one entry for each run, with "id", "name", "method", "status", "epoch", "budget". */
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

/** Plays one race of runs: tabs of the runs, a timeline with its stages, and the sentence about the moment.
 *  Every Panel inside shows the same moment. */
const Player = (props: Props) => {
  const { id, className, children, above, beside, below, race, at, selected, xaxis, zoom, neuron, ids = {}, setProps } = props;
  const [player] = React.useState(() => new Kernel());
  const [busy, setBusy] = React.useState(false);
  const root = React.useRef<HTMLDivElement>(null);
  const tabs = React.useRef<HTMLDivElement>(null);
  const track = React.useRef<HTMLDivElement>(null);
  const words = React.useRef<HTMLDivElement>(null);
  const tell = React.useRef(setProps);
  tell.current = setProps;

  React.useLayoutEffect(() => {
    const places = { tabs: tabs.current!, timeline: track.current!, story: words.current! };
    const parts = new AbortController();
    const { signal } = parts;
    const timeline = mountParts(player, { ...places, tables: document.getElementById(props.tables ?? "") }, signal, [forecast, drag]);
    offer(root.current!, { player, timeline });
    for (const name of ["moment", "status", "stages", "record", "selected", "xaxis"] as const)
      player.on(name, (told: unknown) => tell.current?.({ [name]: told }), signal);
    player.on("window", (window) => tell.current?.({ zoom: window }), signal);
    player.on("edit", (edit) => tell.current?.({ edit: edit && { ...edit, neuron: edit.neuron + 1 } }), signal);
    player.on("neuron", (chosen) => tell.current?.({ neuron: chosen === null ? 0 : chosen + 1 }), signal);
    player.on("race", () => tell.current?.({ selected: player.selected?.name }), signal);
    player.on("busy", setBusy, signal);
    return () => {
      parts.abort();
      player.end();
    };
  }, []);
  React.useEffect(() => {
    if (race) player.open(race as RaceEntry[], { at: at ?? null, selected: selected ?? null });
  }, [race]);
  React.useEffect(() => {
    if (at !== undefined && at !== null && at !== player.epoch) player.seek(at, "open");
  }, [at]);
  React.useEffect(() => {
    if (selected) player.select(selected);
  }, [selected]);
  React.useEffect(() => {
    if (xaxis) player.setAxis(xaxis as TimeName);
  }, [xaxis]);
  React.useEffect(() => {
    const window = zoom ? ([zoom[0], zoom[1]] as [number, number]) : null;
    if (zoom !== undefined && window?.join() !== player.view.window?.join()) player.zoomed(window);
  }, [zoom]);
  React.useEffect(() => {
    const chosen = neuron ? neuron - 1 : null;
    if (neuron !== undefined && chosen !== player.neuron) player.choose(chosen);
  }, [neuron]);

  return (
    <PlayerContext.Provider value={player}>
      <div id={id} ref={root} className={className} aria-busy={busy}>
        <div id={ids.tabs} ref={tabs} />
        {children}
        <div id={ids.bar}>
          {above}
          <div id={ids.timeline} ref={track} role="group" aria-label="Timeline" dangerouslySetInnerHTML={{ __html: props.timeline }} />
          <div className="moment">
            <div id={ids.story} ref={words} dangerouslySetInnerHTML={{ __html: props.story }} />
            {beside}
          </div>
          {below}
        </div>
      </div>
    </PlayerContext.Provider>
  );
};

export default Player;
