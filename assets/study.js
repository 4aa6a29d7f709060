/* The Study page: light or dark, what is picked from the lists, and
   opening a run in the Lab. */
(function () {
  "use strict";
  const root = document.documentElement;
  const gridClass = () => `study-grid ag-theme-quartz${root.dataset.theme === "dark" ? "-dark" : ""}`;

  let given = null;
  const written = new WeakMap();

  /* What is typed is told after a pause, since to lay out ten thousand runs takes seconds; Enter and leaving tell
     it at once. What a link says is written there unless somebody has typed since it was opened or run. */
  const PAUSE = 700;
  let typing = 0;
  let isTyped = false;
  const plain = (text) => text.replace(/\s*\n\s*/g, "");
  const isQuery = (event) => event.target.id === "study-query";
  const tell = (field) => {
    if (!typing) { return; }
    clearTimeout(typing);
    typing = 0;
    window.dash_clientside.set_props("study-asked", { data: plain(field.value) });
  };
  document.addEventListener("input", (event) => {
    if (!isQuery(event)) { return; }
    clearTimeout(typing);
    isTyped = true;
    typing = setTimeout(tell, PAUSE, event.target);
  });
  document.addEventListener("change", (event) => { if (isQuery(event)) { tell(event.target); } });
  document.addEventListener("keydown", (event) => {
    if (!isQuery(event) || event.key !== "Enter") { return; }
    event.preventDefault();
    tell(event.target);
  });
  addEventListener("popstate", () => { isTyped = false; });

  /* A choice stands in the link, and is read from there when the page is loaded (components/pages/study/view.py). */
  const remember = (name, value) => {
    const pairs = location.search.slice(1).split("&").filter((pair) => pair && pair.split("=")[0] !== name);
    if (value) { pairs.push(`${name}=${encodeURIComponent(value)}`); }
    history.replaceState(history.state, "", pairs.length ? `?${pairs.join("&")}` : location.pathname);
  };
  document.addEventListener("change", (event) => {
    const list = event.target;
    const name = list.id?.startsWith("pick-") ? list.id.slice(5) : "";
    if (!name) { return; }
    window.dash_clientside.set_props(`study-${name}`, { data: list.value });
    remember(name, list.value === list.dataset.usual ? "" : list.value);
  });
  document.addEventListener("click", (event) => {
    const entry = event.target.closest?.("#study-legend button");
    if (entry) { window.dash_clientside.set_props("study-only", { data: entry.getAttribute("aria-pressed") === "true" ? "" : entry.dataset.group }); }
    if (event.target.closest?.("#study-run")) {
      document.getElementById("study-ready").open = false;
      isTyped = false;
    }
    if (event.target.closest?.("#reading-theme")) {
      window.dash_clientside.set_props?.("study-theme", { data: root.dataset.theme });
      window.dash_clientside.set_props?.("study-grid", { className: gridClass() });
    }
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      theme: () => [root.dataset.theme, gridClass()],
      show: (_groups, _levels, ...chosen) => {
        // After React has put the lists there.
        setTimeout(() => ["group", "level", "across", "up"].forEach((name, place) => {
          const list = document.getElementById(`pick-${name}`);
          const { entries } = list?.dataset ?? {};
          if (!entries) { return; }
          if (written.get(list) !== entries) {
            list.replaceChildren(...JSON.parse(entries).map(([value, title]) => new Option(title, value)));
            written.set(list, entries);
          }
          // what a link asks for can be chosen, whether it is offered or not
          if (chosen[place] && ![...list.options].some(({ value }) => value === chosen[place])) { list.add(new Option(chosen[place], chosen[place])); }
          list.value = chosen[place] ?? "";
        }));
        return null;
      },
      write: (query) => {
        if (isTyped || query == null) { return window.dash_clientside.no_update; }
        setTimeout(() => { // React puts it there
          if (isTyped) { return; }
          document.getElementById("study-query").value = query;
          document.dispatchEvent(new Event("study:linked"));
        });
        return query;
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
