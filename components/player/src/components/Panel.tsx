import type React_ from "react";
import React from "../react.ts";
import { player } from "../shell/page.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** CSS class of the drawing area. */
  className?: string;
  /** Name of the panel: its figure for the theme of the page is known by it. */
  name: string;
  /** A dcc.Graph; it is mounted once the panel is seen and there are runs to show. */
  children?: React_.ReactNode;
  /** The figure is made in Python: the graph is left alone, and `moment` is told instead. */
  served?: boolean;
  /** Of a served panel, told when it is on screen and the moment has come to rest: {"run", "head" (how many of its
   *  frames are shown, where that is not all), "frame", "epoch", "neuron" (counted from 1, 0 for none), "theme", "size"
   *  ("screen" or "present"), "asked" (the number of the request)}. */
  moment?: object;
  /** Set by a callback when a figure was made, or not: {"asked": the number of the request, "late": there was no time
   *  for it, so that what is shown then is told once more, "error": why there is none}. */
  answer?: object;
  /** Id of the element that names the picture. */
  labelledBy?: string;
  /** Id of the element that describes the picture. */
  describedBy?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

const REST = 250;
const AGAIN = 2000;
/** Milliseconds after which an answer is lost. */
const LOST = 40_000;

type Told = { again: () => void; heard: () => void; end: () => void };

/** Tell what is shown once it rests, while the panel is on screen; `again` after a while also what was told before. */
function tellMoments(element: HTMLElement, tell: (moment: { asked: number }) => void): Told {
  let timer = 0;
  let lost = 0;
  let told = "";
  let asked = 0;
  const look = (rest = REST): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const run = player.selected;
      if (!run?.count || player.playing || !element.checkVisibility()) return;
      const theme = document.documentElement.dataset.theme ?? "light";
      const neuron = player.neuron === null ? 0 : player.neuron + 1;
      const head = run.isCut ? run.recorded : null;
      const size = "present" in document.documentElement.dataset ? "present" : "screen";
      const frame = run.askable(player.frameOf(run));
      const moment = { run: run.id, head, frame, epoch: player.epoch, neuron, theme, size };
      if (JSON.stringify(moment) === told) return;
      told = JSON.stringify(moment);
      asked += 1;
      clearTimeout(lost);
      lost = window.setTimeout(again, LOST);
      tell({ ...moment, asked });
    }, rest);
  };
  const sizes = new ResizeObserver(() => look());
  const themes = new MutationObserver(() => look());
  sizes.observe(element);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-present"] });
  const ends = (["moment", "neuron", "selected"] as const).map((event) => player.on(event, () => look()));
  const again = (): void => {
    told = "";
    look(AGAIN);
  };
  const end = (): void => {
    for (const stop of ends) stop();
    sizes.disconnect();
    themes.disconnect();
    clearTimeout(timer);
    clearTimeout(lost);
  };
  return { again, heard: () => clearTimeout(lost), end };
}

/** Fills the plot of the dcc.Graph inside it with the runs of the Player, at its moment, and lays a canvas over it
 *  for what moves. The graph's traces say in their `meta` which columns of the frames they want. */
const Panel = ({ id, className, name, children, served, answer, labelledBy, describedBy, setProps }: Props) => {
  const place = React.useRef<HTMLDivElement>(null);
  const [seen, setSeen] = React.useState(false);
  const [asked, setAsked] = React.useState(0);

  const tell = React.useRef(setProps);
  tell.current = setProps;
  const moments = React.useRef<Told | null>(null);

  const told = (answer ?? {}) as { asked?: number; late?: boolean; error?: string };
  React.useEffect(() => {
    if (!answer) return;
    moments.current?.heard();
    if (told.late) moments.current?.again();
    player.emit("served", name);
  }, [answer]);

  React.useEffect(() => {
    const element = place.current!;
    if (served) {
      moments.current = tellMoments(element, (moment) => {
        setSeen(true);
        setAsked(moment.asked);
        tell.current?.({ moment });
      });
      return moments.current.end;
    }
    const host = player.board.register(name, element);
    // the frames are asked for first: they come while the graphs are being made
    const look = (): void => {
      host.measure();
      if (host.visible && player.runs.length) setSeen(true);
    };
    const sizes = new ResizeObserver(look);
    const end = player.on("race", look);
    // the graph component arrives when its script has; Plotly then marks the element it draws into
    const arrivals = new MutationObserver(() => {
      const plot = element.querySelector<PlotElement>(".js-plotly-plot");
      if (!plot?.on) return;
      arrivals.disconnect();
      player.board.adopt(host, plot);
    });
    sizes.observe(element);
    arrivals.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    return () => {
      end();
      sizes.disconnect();
      arrivals.disconnect();
      player.board.release(host);
    };
  }, [name, served]);

  // until the first figure is there, and again after an error, the panel waits for it
  const [drawn, setDrawn] = React.useState(false);
  const isAnswered = told.asked === asked && !told.late;
  const error = isAnswered ? told.error : "";
  if (isAnswered && !drawn !== Boolean(error)) setDrawn(!error);
  const waits = served && !drawn && !error;
  return (
    <div
      id={id}
      ref={place}
      className={["plot", className, waits && "pl-loading", error && "pl-bare"].filter(Boolean).join(" ")}
      aria-busy={waits || undefined}
      data-panel={name}
      role="img"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <div className="pl-canvas">{seen ? children : null}</div>
      {error && (
        <p className="pl-empty" role="status">
          {error}
        </p>
      )}
    </div>
  );
};

export default Panel;
