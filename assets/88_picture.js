// A panel as a file: the same figure, with the traces that the canvas draws, and a legend.
(function () {
  "use strict";

  const { draw, style } = plateau;

  /** The picture of one panel, as it is on screen, with a legend of the methods above it. */
  async function picture(name, kind, runs) {
    const host = draw.hosts.get(name);
    if (!host || !host.gd.data) throw new Error("this panel is not on screen");
    const layout = structuredClone(host.gd.layout);
    const { width, height } = host.gd._fullLayout;
    const data = host.gd.data.concat(host.live || []);
    layout.paper_bgcolor = layout.plot_bgcolor = style.inks.panel;
    layout.margin.t = 30;
    layout.annotations = runs.map((run, i, all) => ({
      xref: "paper", yref: "paper", x: (i + 0.5) / all.length, y: 1, yshift: 16, showarrow: false,
      text: "— " + style.method(run.method).title, font: { color: style.method(run.method).colour, size: 13 },
    }));
    return Plotly.toImage({ data, layout }, { format: kind, width, height: height + 24, scale: kind === "png" ? 2 : 1 });
  }

  plateau.picture = picture;
})();
