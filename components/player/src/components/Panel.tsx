import type React_ from "react";
import React from "../react.ts";
import { type Moment, tellMoments } from "../view/moments.ts";
import { PlayerContext } from "./context.ts";

type Props = {
  /** Unique name of the component in callbacks. */
  id?: string;
  /** CSS class of the drawing area. */
  className?: string;
  /** Name of the panel. Without children the player draws the figure that it knows by this name (/api/panels). */
  name: string;
  /** What Python draws, mostly a dcc.Graph: it is left alone, mounted once the panel is seen, and `moment` is told. */
  children?: React_.ReactNode;
  /** Of a panel with children, told when it is on screen and the moment has come to rest: {"run", "head" (how many of
   *  its frames are shown, where that is not all), "frame", "epoch", "neuron" (counted from 1, 0 for none), "theme",
   *  "size" ("screen" or "present"), "asked" (the number of the request)}. */
  moment?: object;
  /** A callback may say what became of a request: {"asked": its number, "late": there was no time for it, so that what
   *  is shown then is told once more, "error": a sentence that is shown in place of the picture}. */
  answer?: { asked?: number; late?: boolean; error?: string };
  /** Id of the element that names the picture. */
  labelledBy?: string;
  /** Id of the element that describes the picture; the player writes it. */
  describedBy?: string;
  /** Id of the element that shows the numbers as a table; the player fills it while it is not hidden. */
  table?: string;
  /** Dash's way of telling a change. */
  setProps?: (props: object) => void;
};

/** A picture of the runs of the Player around it, at its moment: one that the player draws itself from the columns of the
 *  frames, or what Python makes of the moment. */
const Panel = ({ id, className, name, children, answer, labelledBy, describedBy, table, setProps }: Props) => {
  const player = React.useContext(PlayerContext)!;
  const place = React.useRef<HTMLDivElement>(null);
  const moments = React.useRef<ReturnType<typeof tellMoments> | null>(null);
  const tell = React.useRef(setProps);
  tell.current = setProps;
  const isServed = Boolean(children);
  const [asked, setAsked] = React.useState(0);
  const isLoading = window.dash_component_api.useDashContext().useLoading({ extraPath: ["props", "children"] });

  React.useEffect(() => {
    const host = player.board.register(name, place.current!, { isServed, title: labelledBy, summary: describedBy, table });
    if (isServed) {
      const told = (moment: Moment): void => {
        setAsked(moment.asked);
        tell.current?.({ moment });
      };
      moments.current = tellMoments(player, place.current!, told, host.ended.signal);
    } else host.furnish();
    return () => player.board.release(host);
  }, [name, isServed]);

  React.useEffect(() => {
    if (!answer) return;
    moments.current?.heard();
    if (answer.late) moments.current?.again();
    player.emit("served", name);
  }, [answer]);
  // an ordinary callback gives no answer: its figure is there when it no longer loads
  React.useEffect(() => {
    if (!isServed || isLoading || !asked) return;
    moments.current?.heard();
    player.emit("served", name);
  }, [isLoading]);

  // until the first figure is there, and again after an error, the panel waits for it
  const [drawn, setDrawn] = React.useState(false);
  const isAnswered = answer?.asked === asked && !answer?.late;
  const error = isAnswered ? answer?.error : "";
  if (isAnswered && !drawn !== Boolean(error)) setDrawn(!error);
  const waits = isServed && !drawn && !error && (!asked || isLoading || Boolean(answer?.late));
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
      {isServed && <div className="pl-canvas">{asked ? children : null}</div>}
      {error && (
        <p className="pl-empty" role="status">
          {error}
        </p>
      )}
    </div>
  );
};

export default Panel;
