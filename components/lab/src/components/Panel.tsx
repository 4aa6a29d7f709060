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
  /** A dcc.Graph; it is mounted once the panel is seen. */
  children?: React_.ReactNode;
  /** Id of the element that names the picture. */
  labelledBy?: string;
  /** Id of the element that describes the picture. */
  describedBy?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** Fills the plot of the dcc.Graph inside it with the runs of the Player, at its moment, and lays a canvas over it
 *  for what moves. The graph's traces say in their `meta` which columns of the frames they want. */
const Panel = ({ id, className, name, children, labelledBy, describedBy }: Props) => {
  const place = React.useRef<HTMLDivElement>(null);
  const [seen, setSeen] = React.useState(false);

  React.useEffect(() => {
    const element = place.current!;
    const host = player.register(name, element);
    const sizes = new ResizeObserver(() => {
      host.measure();
      if (host.visible) setSeen(true);
    });
    // the graph component arrives when its script has; Plotly then marks the element it draws into
    const arrivals = new MutationObserver(() => {
      const plot = element.querySelector<PlotElement>(".js-plotly-plot");
      if (!plot?.on) return;
      arrivals.disconnect();
      player.adopt(host, plot);
    });
    sizes.observe(element);
    arrivals.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    return () => {
      sizes.disconnect();
      arrivals.disconnect();
      player.release(host);
    };
  }, [name]);

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
