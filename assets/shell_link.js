/* The link: one place that reads and writes the address bar.

   A query has two halves. The configuration names a computation; a change of it is a new entry in
   the history. The view says how somebody looks at it; a change replaces the entry. Everything else
   in the page asks here what the link says, and is told when it changes. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const link = (plateau.link = { config: {}, view: {} });
  const VIEW_DEFAULTS = { xaxis: "epoch" };
  let viewKeys = new Set();
  let timer = 0;

  /* The same spelling as core.query.format_number: shortest digits, powers of ten where they save two characters. */
  link.number = (value) => {
    if (!Number.isFinite(value)) return String(value);
    if (value === 0) return "0";
    const [mantissa, exponentText] = Math.abs(value).toExponential().split("e");
    const exponent = Number(exponentText);
    const digits = mantissa.replace(".", "");
    let plain;
    if (exponent < 0) plain = "0." + "0".repeat(-exponent - 1) + digits;
    else if (digits.length <= exponent + 1) plain = digits.padEnd(exponent + 1, "0");
    else plain = digits.slice(0, exponent + 1) + "." + digits.slice(exponent + 1);
    const power = `${mantissa}e${exponent}`;
    return (value < 0 ? "-" : "") + (power.length <= plain.length - 2 ? power : plain);
  };

  const quote = (text) =>
    encodeURIComponent(text).replace(/%(2C|3B|3A|40|2F)/g, (code) => decodeURIComponent(code)).replace(/'/g, "%27");

  /* A literal + means plus, as people type it in formulas. */
  const unquote = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };

  link.parse = (search) => {
    const config = {}, view = {};
    for (const pair of search.replace(/^\?/, "").split("&")) {
      if (!pair) continue;
      const cut = pair.indexOf("=");
      const key = unquote(cut < 0 ? pair : pair.slice(0, cut));
      (viewKeys.has(key) ? view : config)[key] = cut < 0 ? "" : unquote(pair.slice(cut + 1));
    }
    return { config, view };
  };

  link.join = (config, view) => {
    const shown = Object.entries(view || {}).filter(
      ([key, value]) => value !== "" && value !== null && value !== undefined && value !== false && value !== VIEW_DEFAULTS[key]);
    const pairs = Object.entries(config).concat(shown).map(([key, value]) => [key, value === true ? "1" : String(value)]);
    return pairs.sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([key, value]) => `${key}=${quote(value)}`).join("&");
  };

  link.configQuery = () => link.join(link.config, {});
  /* A link without any setting means the first visit; the defaults themselves have to be said. */
  link.full = (config, view) => link.join(Object.keys(config).length || view.lesson ? config : { target: "f1" }, view);
  link.query = () => link.full(link.config, link.view);
  link.path = () => location.pathname + (link.query() ? "?" + link.query() : "");
  link.href = () => location.origin + link.path();

  function write(push) {
    clearTimeout(timer);
    timer = 0;
    const path = link.path();
    if (path === location.pathname + location.search) return;
    history[push ? "pushState" : "replaceState"](null, "", path);
  }
  link.flush = () => { if (timer) write(false); };
  link.tidy = () => { if (!timer) write(false); };

  /* The browser counts writes to the history and objects to a hundred in thirty seconds: wait for the hand to rest. */
  link.setView = (patch, { push = false } = {}) => {
    const changed = [];
    for (const [key, value] of Object.entries(patch)) {
      if (!viewKeys.has(key)) continue;
      const text = value === null || value === undefined || value === false ? "" : value === true ? "1"
        : typeof value === "number" ? link.number(Number(value.toPrecision(7))) : String(value);
      if ((link.view[key] || "") === text) continue;
      changed.push(key);
      if (text === "" || text === VIEW_DEFAULTS[key]) delete link.view[key];
      else link.view[key] = text;
    }
    if (!changed.length) return;
    if (push) write(true);
    else {
      clearTimeout(timer);
      timer = setTimeout(() => write(false), 250);
    }
    announce("view", changed);
  };

  /* Another problem has other moments and neurons. */
  link.setConfig = (config, { push = true, keepMoment = false } = {}) => {
    link.flush();
    if (link.join(config, {}) === link.configQuery()) return;
    link.config = { ...config };
    if (!keepMoment) for (const key of ["at", "neuron"]) delete link.view[key];
    write(push);
  };

  link.replaceConfig = (config) => {
    link.config = { ...config };
    if (!timer) write(false);
  };

  /* Somewhere else at once, problem and view together: a step of a lesson, a presenter's moment. */
  link.go = (config, view, { push = true } = {}) => {
    link.flush();
    const before = link.configQuery();
    link.config = { ...config };
    link.view = Object.fromEntries(Object.entries(view).filter(([key, value]) => viewKeys.has(key) && value));
    write(push);
    announce("view");
    if (link.configQuery() !== before) document.dispatchEvent(new CustomEvent("plateau:config", { detail: { cause: "go" } }));
    else plateau.runs.resolve("open", link.config);
  };

  function announce(cause, changed = [...viewKeys]) {
    document.dispatchEvent(new CustomEvent("plateau:view", { detail: { ...link.view, cause, changed } }));
  }

  let first = "";
  link.restart = () => {
    const { config, view } = link.parse(first);
    link.go(config, { ...view, ...link.view }, { push: false });
  };

  link.start = (keys, firstVisit) => {
    viewKeys = new Set(keys);
    first = firstVisit;
    Object.assign(link, link.parse(location.search));
    if (!Object.keys(link.config).length && !link.view.lesson) {
      const first = link.parse(firstVisit);
      link.config = first.config;
      link.view = { ...first.view, ...link.view };
      write(false);
    }
    addEventListener("popstate", () => {
      clearTimeout(timer);
      timer = 0;
      const before = link.configQuery();
      Object.assign(link, link.parse(location.search));
      announce("history");
      if (link.configQuery() !== before) document.dispatchEvent(new CustomEvent("plateau:config", { detail: { cause: "history" } }));
    });
    addEventListener("pagehide", link.flush);
  };

  plateau.view = { get: () => ({ ...link.view }), set: link.setView };
})();
