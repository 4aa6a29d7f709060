/* The Study page: its scripts and pictures one at a time, light or dark, what is picked from the lists, and
   opening a run in the Lab. */
(function () {
  "use strict";
  const root = document.documentElement;
  const shade = () => { root.dataset.agThemeMode = root.dataset.theme; document.body.dataset.agThemeMode = root.dataset.theme; };

  /* The page answers between any two scripts and any two pictures. A script that is added so is run in order
     and in a task of its own; those that the document names are run together, a third of a second at a stretch. */
  document.addEventListener("DOMContentLoaded", () => {
    const scripts = [...document.querySelectorAll("script[data-turn]")].map(({ src }) => Object.assign(document.createElement("script"), { src, async: false }));
    scripts.at(-1).addEventListener("load", () => {
      window.Plotly.react = later(window.Plotly.react);
      setTimeout(() => dispatchEvent(new Event("study:loaded")));
    });
    document.head.append(...scripts);
  });
  const waiting = new Map();
  let drawing = false;
  const drawNext = async () => {
    const [[plot, { draw, tell }]] = waiting;
    waiting.delete(plot);
    try { tell(await draw()); } catch (error) { tell(Promise.reject(error)); }
    drawing = waiting.size > 0;
    if (drawing) { setTimeout(drawNext); }
  };
  /* Of two pictures that wait for the same plot the newer is drawn, and is the answer to both. */
  const later = (act) => (plot, ...rest) => new Promise((resolve) => {
    const older = waiting.get(plot);
    const tell = (answer) => { older?.tell(answer); resolve(answer); };
    waiting.set(plot, { draw: () => act(plot, ...rest), tell });
    if (!drawing) { setTimeout(drawNext); }
    drawing = true;
  });
  let given = null;

  document.addEventListener("change", (event) => {
    const name = event.target.id?.startsWith("pick-") ? event.target.id.slice(5) : "";
    if (name) { window.dash_clientside.set_props(`study-${name}`, { data: event.target.value }); }
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      theme: (clicks) => {
        if (clicks) {
          root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
          try { localStorage.setItem("plateau-theme", root.dataset.theme); } catch { /* private windows may refuse */ }
        }
        shade();
        return root.dataset.theme;
      },
      show: (_, ...chosen) => {
        // After React has put the entries of the list there.
        setTimeout(() => ["group", "level", "x", "y"].forEach((name, place) => {
          const list = document.getElementById(`pick-${name}`);
          if (list && chosen[place]) { list.value = chosen[place]; }
        }));
        return null;
      },
      columns: (columns, asked) => {
        if (!columns || !asked || columns === given) { return window.dash_clientside.no_update; }
        given = columns;
        return columns;
      },
      open: (marker, step, cell, selected) => {
        const by = window.dash_clientside.callback_context.triggered[0]?.prop_id ?? "";
        const clicked = by.startsWith("study-scatter") ? marker : by.startsWith("study-reached") ? step : null;
        const link = clicked ? clicked.points?.[0]?.customdata : selected?.[0]?.lab;
        if (typeof link === "string" && link.startsWith("/?")) { location.assign(link); }
        return null;
      },
    },
  });
})();
