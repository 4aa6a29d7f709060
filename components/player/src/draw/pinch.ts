/** Two fingers on a panel zoom it, as they zoom a map: what is under them stays under them. */

import type { Host } from "./host.ts";
import type { Holder } from "./scene.ts";

type Range = [low: number, high: number];
type Spread = { x: number; y: number; apart: number };
type Start = { fingers: Spread; x: Range; y: Range };

/** The range of an axis after a pinch: `before` and `after` are the middle of the fingers, as shares of the axis. */
function pinched([low, high]: Range, before: number, after: number, factor: number): Range {
  const span = (high - low) / factor;
  const held = low + before * (high - low);
  return [held - after * span, held + (1 - after) * span];
}

export function attachPinch(host: Host, holder: Holder): void {
  const { element } = host;
  const { signal } = host.ended;
  let start: Start | null = null;
  let last: Spread | null = null;
  let drawing = false;

  const spread = ({ touches: [one, two] }: TouchEvent): Spread => {
    const box = element.getBoundingClientRect();
    const [xaxis, yaxis] = [host.plot!._fullLayout!.xaxis!, host.plot!._fullLayout!.yaxis!];
    return {
      x: ((one.clientX + two.clientX) / 2 - box.left - xaxis._offset) / xaxis._length,
      y: 1 - ((one.clientY + two.clientY) / 2 - box.top - yaxis._offset) / yaxis._length,
      apart: Math.max(10, Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)),
    };
  };
  const begin = (event: TouchEvent): void => {
    const { xaxis, yaxis } = host.plot?._fullLayout ?? {};
    start = null;
    if (event.touches.length !== 2 || !xaxis || !yaxis || host.bare) return;
    event.preventDefault(); // else the page scrolls
    start = { fingers: spread(event), x: [...xaxis.range], y: [...yaxis.range] };
    // Plotly makes its elements anew: the fingers stay with those that they came down on, though these are gone
    for (const { target } of event.touches)
      target.addEventListener("touchmove", move as (event: Event) => void, { passive: false, signal });
  };
  const move = (event: TouchEvent): void => {
    if (!start || event.touches.length !== 2) return;
    event.preventDefault();
    last = spread(event);
    draw();
  };
  /** The newest place of the fingers; those that come while the plot is being drawn are passed over. */
  const draw = (): void => {
    const now = last;
    if (drawing || !start || !now) return;
    last = null;
    const factor = now.apart / start.fingers.apart;
    const isTime = host.panel?.figure.layout.meta.x === "time";
    const whole = holder.scene().view.range;
    const [left, right] = pinched(start.x, start.fingers.x, now.x, factor);
    if (isTime && left <= whole[0] && right >= whole[1]) return holder.unzoom(host);
    const x = isTime ? [Math.max(left, whole[0]), Math.min(right, whole[1])] : [left, right];
    const [bottom, top] = pinched(start.y, start.fingers.y, now.y, factor);
    // the heights of a history follow its curves
    const y: Record<string, number> = isTime ? {} : { "yaxis.range[0]": bottom, "yaxis.range[1]": top };
    if (!(x[0] < x[1])) return;
    drawing = true;
    Plotly.relayout(host.plot!, { "xaxis.range[0]": x[0], "xaxis.range[1]": x[1], ...y }).finally(() => {
      drawing = false;
      draw();
    });
  };
  element.addEventListener("touchstart", begin, { passive: false, signal });
}
