/* The Study page in the browser: form and link say the same, what is picked stands in the address, opening a run. */
(function () {
  "use strict";
  const root = document.documentElement;
  const OWN = "own data";
  const OF_OWN_DATA = ["data", "units", "labels", "calendar", "weights"];
  const pairsOf = (text) => new Map(text.split("&").filter(Boolean).map((pair) => {
    const [key, ...value] = pair.split("=");
    return [key, value.join("=")];
  }));
  const queryOf = (pairs) => [...pairs].map(([key, value]) => `${key}=${value}`).join("&");
  const plain = (value) => { try { return decodeURIComponent(value); } catch { return value; } };
  const spelled = (value) => value.trim().replace(/[%&#+\s]/g, encodeURIComponent);
  const split = (text) => text.split(",").filter(Boolean);
  /* Formulas have commas of their own, inside brackets. */
  const formulas = (text) => {
    let depth = 0;
    const marked = [...text].map((letter) => {
      depth += "([{".includes(letter) - ")]}".includes(letter);
      return letter === "," && depth === 0 ? "\n" : letter;
    });
    return marked.join("").split("\n").filter(Boolean);
  };

  /* The study of the address, without how somebody looks at it. */
  const linked = (search, known) => {
    const pairs = pairsOf((search ?? location.search).slice(1));
    for (const key of known.view) { pairs.delete(key); }
    return queryOf(pairs) || known.first;
  };
  const methodsOf = (pairs, { usual }) => split(plain(pairs.get("method") ?? usual.method));
  /* Budgets go with their methods: one that is added has its usual budget. One method stays. */
  const putMethods = (pairs, chosen, known) => {
    if (!chosen.length) { return; }
    const before = methodsOf(pairs, known);
    const budgets = split(plain(pairs.get("epochs") ?? ""));
    const methods = [...before.filter((name) => chosen.includes(name)), ...chosen.filter((name) => !before.includes(name))];
    pairs.set("method", methods.join(","));
    if (budgets.length > 1) { pairs.set("epochs", methods.map((name) => budgets[before.indexOf(name)] ?? known.epochs[name]).join(",")); }
  };
  const targetsOf = (pairs, { usual }) => (pairs.has("data") ? [OWN] : formulas(plain(pairs.get("target") ?? usual.target)));
  /* Own data are all that is learned, or nothing of it. One target stays. */
  const putTargets = (pairs, chosen) => {
    const targets = chosen.filter((target) => target !== OWN);
    if (!targets.length) { return; }
    for (const key of OF_OWN_DATA) { pairs.delete(key); }
    pairs.set("target", spelled(targets.join(",")));
  };
  const optionsOf = (targets, known) => {
    const others = targets.filter((target) => !known.targets.some(({ value }) => value === target));
    const short = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
    return [...known.targets, ...others.map((value) => ({ value, label: short(value), title: value }))];
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#reading-theme")) { window.dash_clientside.set_props("study-theme", { data: root.dataset.theme }); }
  });
  let given = null;
  let isAsked = false;
  /* What is typed after Run was pressed is not written over by the link that it makes. */
  let isTyped = false;
  addEventListener("popstate", () => { isTyped = false; });
  let rest = () => {};
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      theme: (told) => {
        const theme = told ?? root.dataset.theme;
        return [theme, `study-grid ag-theme-quartz${theme === "dark" ? "-dark" : ""}`];
      },
      /* A link that is opened or typed fills the fields; a field that is changed is written into the link, whose keys
         without a field stay. */
      form: (...told) => {
        const [search, known] = told.slice(-2);
        const [query, targets, methods, rivals, ...texts] = told;
        const by = window.dash_clientside.callback_context.triggered.map(({ prop_id }) => prop_id.split(".")[0]);
        const isLinked = !by.length || by.includes("study-url");
        if (isLinked && isTyped) { return window.dash_clientside.no_update; }
        isTyped = !isLinked;
        const pairs = pairsOf(isLinked ? linked(search, known) : query ?? "");
        known.fields.forEach((name, place) => {
          if (!by.includes(`vary-${name}`)) { return; }
          if (texts[place]?.trim()) { pairs.set(name, spelled(texts[place])); } else { pairs.delete(name); }
        });
        if (by.includes("vary-target")) { putTargets(pairs, targets); }
        if (by.includes("vary-method") || by.includes("vary-rival")) { putMethods(pairs, [...methods, ...rivals], known); }
        const learned = targetsOf(pairs, known);
        const trained = methodsOf(pairs, known);
        const isRival = (name) => known.rivals.includes(name);
        // nothing is written where somebody types
        const unless = (name, value) => (by.includes(name) ? window.dash_clientside.no_update : value);
        return [
          ...[optionsOf(learned, known), unless("study-query", queryOf(pairs)), learned],
          ...[trained.filter((name) => !isRival(name)), trained.filter(isRival)],
          ...known.fields.map((name) => unless(`vary-${name}`, plain(pairs.get(name) ?? ""))),
        ];
      },
      /* The server is asked once the link rests, or at Enter. */
      ask: (query, _submitted, { pause }) => {
        const typed = window.dash_clientside.callback_context.triggered.some(({ prop_id }) => prop_id.endsWith(".value"));
        rest();
        return new Promise((resolve) => {
          const timer = setTimeout(resolve, typed && isAsked ? pause : 0, query);
          rest = () => { clearTimeout(timer); resolve(window.dash_clientside.no_update); };
          isAsked = true;
        });
      },
      /* What is picked stands in the address (components/pages/study/view.py), unless it is usual. */
      remember: (group, level, across, up, usual, { picks }) => {
        const pairs = pairsOf(location.search.slice(1));
        for (const [name, value] of Object.entries({ group, level, across, up })) {
          if (value === (picks[name] || (name === "group" ? usual : ""))) { pairs.delete(name); }
          else if (value) { pairs.set(name, encodeURIComponent(value)); }
        }
        const text = queryOf(pairs);
        history.replaceState(history.state, "", text ? `?${text}` : location.pathname);
        return null;
      },
      /* The ready studies are no part of what Dash draws. */
      fold: () => {
        isTyped = false;
        document.getElementById("study-ready").open = false;
        return null;
      },
      alone: (_clicks, only) => {
        const { triggered, triggered_id: pressed } = window.dash_clientside.callback_context;
        if (!triggered[0]?.value) { return window.dash_clientside.no_update; }
        return pressed.group === only ? "" : pressed.group;
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
