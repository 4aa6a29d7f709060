// The frames of a run along the time axis: where each stands, which are shown, where stages begin.
(function () {
  "use strict";

  const SMALLEST = 1e-33;

  /** Numbers of the chosen time at every frame; zero stands half a decade left of the first positive one. */
  function times(run, view) {
    return run.cached("times:" + view.x + view.zero, () => {
      const column = run.column[view.x];
      const x = new Float64Array(run.count);
      for (let i = 0; i < run.count; i++) x[i] = column[i] > 0 ? column[i] : view.zero;
      return x;
    });
  }

  /** Does this run know the chosen time at all (gradient descent never solves least squares)? */
  const counts = (run, view) => run.count > 0 && (view.x === "epoch" || run.column[view.x][run.last] > 0 || run.count === 1);

  /** Frames at which a stage begins, the first included. */
  function stageStarts(run) {
    return run.cached("starts", () => {
      const stage = run.column.stage;
      const starts = [];
      for (let i = 0; i < run.count; i++) if (i === 0 || stage[i] !== stage[i - 1]) starts.push(i);
      return starts;
    });
  }

  /** At most `limit` frames, evenly over the visible log time; stage changes are kept before others. */
  function shown(run, view, limit) {
    const window = view.window ? view.window.join() : "";
    return run.cached(["shown", view.x, view.zero, window, limit].join(":"), () => {
      const x = times(run, view);
      let first = 0;
      let last = run.last;
      if (view.window) {
        while (first < last && x[first + 1] < view.window[0]) first++;
        while (last > first && x[last - 1] > view.window[1]) last--;
      }
      const all = last - first + 1;
      if (all <= limit) return Array.from({ length: all }, (_, i) => first + i);
      const stage = run.column.stage;
      const origin = Math.log10(x[first]);
      const buckets = Math.floor(limit / 2) - 1;
      const scale = buckets / Math.max(1e-9, Math.log10(x[last]) - origin);
      const kept = [first];
      let bucket = 0;
      let change = -1;
      for (let i = first + 1; i <= last; i++) {
        const here = Math.floor((Math.log10(x[i]) - origin) * scale);
        if (here !== bucket || i === last) {
          if (change >= 0 && change !== i - 1) kept.push(change);
          if (kept[kept.length - 1] !== i - 1) kept.push(i - 1);
          bucket = here;
          change = -1;
        }
        if (change < 0 && stage[i] !== stage[i - 1]) change = i;
      }
      if (kept[kept.length - 1] !== last) kept.push(last);
      return kept;
    });
  }

  /** Stages as [first x, last x, first frame]; neighbours narrower than a hair are drawn as one. */
  function spans(run, view) {
    return run.cached("spans:" + view.x + view.zero + view.window, () => {
      const x = times(run, view);
      const starts = stageStarts(run);
      const visible = view.window
        ? Math.log10(view.window[1] / view.window[0])
        : Math.log10(x[run.last] / x[0]);
      const hair = visible / 1200;
      const list = [];
      starts.forEach((frame, i) => {
        const from = x[frame];
        const to = i + 1 < starts.length ? x[starts[i + 1]] : x[run.last];
        const previous = list[list.length - 1];
        if (previous && Math.log10(previous.to / previous.from) < hair) previous.to = to;
        else list.push({ from, to, frame });
      });
      return list;
    });
  }

  plateau.history = { times, counts, shown, spans, stageStarts, SMALLEST };
})();
