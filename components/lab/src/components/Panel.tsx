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
   *  frames are shown, where that is not all), "frame", "epoch", "neuron" (counted from 1, 0 for none), "theme"}. */
  moment?: object;
  /** Id of the element that names the picture. */
  labelledBy?: string;
  /** Id of the element that describes the picture. */
  describedBy?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

const REST = 250;

/** Tell what is shown once it rests, while the panel is on screen. */
function tellMoments(element: HTMLElement, tell: (moment: object) => void): () => void {
  let timer = 0;
  let told = "";
  const look = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const run = player.selected;
      if (!run?.count || player.playing || !element.checkVisibility()) return;
      const theme = document.documentElement.dataset.theme ?? "light";
      const neuron = player.neuron === null ? 0 : player.neuron + 1;
      const head = run.isCut ? run.count : null;
      const moment = { run: run.id, head, frame: player.frameOf(run), epoch: player.epoch, neuron, theme };
      if (JSON.stringify(moment) === told) return;
      told = JSON.stringify(moment);
      tell(moment);
    }, REST);
  };
  const sizes = new ResizeObserver(look);
  const themes = new MutationObserver(look);
  sizes.observe(element);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const ends = [player.on("moment", look), player.on("neuron", look), player.on("selected", look)];
  return () => {
    for (const end of ends) end();
    sizes.disconnect();
    themes.disconnect();
  };
}

/** Fills the plot of the dcc.Graph inside it with the runs of the Player, at its moment, and lays a canvas over it
 *  for what moves. The graph's traces say in their `meta` which columns of the frames they want. */
const Panel = ({ id, className, name, children, served, labelledBy, describedBy, setProps }: Props) => {
  const place = React.useRef<HTMLDivElement>(null);
  const [seen, setSeen] = React.useState(false);

  const tell = React.useRef(setProps);
  tell.current = setProps;

  React.useEffect(() => {
    const element = place.current!;
    if (served) {
      return tellMoments(element, (moment) => {
        setSeen(true);
        tell.current?.({ moment });
      });
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

  return (
    <div
      id={id}
      ref={place}
      className={className ? `plot ${className}` : "plot"}
      data-panel={name}
      role="img"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <div className="pl-canvas">{seen ? children : null}</div>
    </div>
  );
};

export default Panel;
