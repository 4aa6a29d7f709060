/* Sharing a moment (link, QR code, text, Python), light and dark, and the keys. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const share = (plateau.share = {});
  const one = (selector) => document.querySelector(selector);
  let spec = null;

  /* The clipboard needs https or this machine; on a plain http link in a lecture hall the old way still works. */
  share.copy = async (text, said) => {
    plateau.link.flush();
    try {
      if (!navigator.clipboard || !isSecureContext) throw new Error("no clipboard");
      await navigator.clipboard.writeText(text);
    } catch {
      const area = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
      (one("dialog[open]") ?? document.body).append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) {
        share.open();
        one("#share-link").select();
        return plateau.toast("Copy the marked text.");
      }
    }
    plateau.toast(said);
  };

  /* The moment on screen belongs in the link even while the address bar still waits. */
  share.link = () => {
    const state = plateau.player?.state?.();
    if (state && !state.following && Number.isFinite(state.epoch)) plateau.link.setView({ at: state.epoch });
    plateau.link.flush();
    return location.origin + share.path();
  };

  /* A presenter's link is for the audience; anybody else's is for the moment, whoever they may be following. */
  share.path = () => (plateau.link.view.present ? plateau.present.path() : `${location.pathname}?${plateau.link.full(plateau.link.config, { ...plateau.link.view, follow: "" })}`);

  share.text = () => {
    const methods = plateau.form.methods(plateau.link.config).map((name) => spec.methods[name].title).join(" and ");
    const config = plateau.link.config;
    const what = config.data ? "own data" : plateau.form.target(config)?.title ?? config.target;
    const width = config.width ?? plateau.form.defaultOf("width", config);
    const sentence = one("#explanation p")?.textContent.trim() ?? "";
    return `${methods} on ${what}, width ${width}. ${sentence}\n${share.link()}`.replace(/ +/g, " ");
  };

  share.python = () => {
    const queries = plateau.race.map((run) => run.query);
    const lines = (queries.length ? queries : [plateau.link.configQuery()]).map((query) => `    ${JSON.stringify(query)},`);
    return ["from core import RunConfig, train", "", "for query in (", ...lines, "):", "    for frame in train(RunConfig.from_query(query)):",
      "        print(frame.epoch, frame.loss)"].join("\n");
  };

  share.open = () => {
    const link = share.link();
    one("#share-link").value = link;
    one("#share-text").value = share.text();
    one("#share-embed").value = plateau.embed.code();
    one("#share-python").value = share.python();
    const image = Object.assign(document.createElement("img"), { src: `/qr.svg?path=${encodeURIComponent(share.path())}`, alt: "QR code of the link" });
    image.addEventListener("error", () => { one("#qr-code").textContent = "The link is too long for a QR code."; });
    one("#qr-code").replaceChildren(image);
    if (!one("#share-dialog").open) one("#share-dialog").showModal();
  };

  /* ---- light and dark ------------------------------------------------------------------------- */
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("plateau-theme"); } catch { return null; } };
  share.applyTheme = () => {
    const theme = plateau.link.view.theme || stored() || (system.matches ? "dark" : "light");
    if (document.documentElement.dataset.theme !== theme) document.documentElement.dataset.theme = theme;
    one("#theme-button").setAttribute("aria-label", theme === "dark" ? "Light colours" : "Dark colours");
    one("#theme-button").title = theme === "dark" ? "Light colours" : "Dark colours";
    document.dispatchEvent(new CustomEvent("plateau:theme", { detail: { theme } }));
  };
  share.toggleTheme = () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("plateau-theme", theme); } catch { /* private windows may refuse: the link still holds it */ }
    if (plateau.link.view.theme || stored() !== theme) plateau.link.setView({ theme });
    share.applyTheme();
  };

  /* ---- keys --------------------------------------------------------------------------------------- */
  const KEYS = {
    "?": () => one("#keys-dialog").showModal(),
    f: () => { const name = plateau.panels.meant() ?? plateau.panels.order()[0]; plateau.panels.enlarge(name); },
    s: () => plateau.float.stages(one("#stages").hidden),
    r: () => { if (!one("#run").disabled) plateau.runs.start(); },
    c: () => share.copy(share.link(), "Link copied"),
    q: share.open,
    p: () => plateau.link.setView({ present: !plateau.link.view.present }),
    t: share.toggleTheme,
  };
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      if (!one("dialog[open]") && plateau.float.escape()) event.preventDefault();
      return;
    }
    if (one("dialog[open]") || event.target.closest?.("input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]")) return;
    if (/^[1-9]$/.test(event.key)) return plateau.panels.reveal(Number(event.key) - 1);
    if (KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key]();
    }
  }

  share.start = (specification) => {
    spec = specification;
    one("#copy-link").addEventListener("click", KEYS.c);
    one("#share-button").addEventListener("click", share.open);
    one("#share-copy-link").addEventListener("click", () => share.copy(one("#share-link").value, "Link copied"));
    one("#share-copy-text").addEventListener("click", () => share.copy(one("#share-text").value, "Text copied"));
    one("#share-copy-embed").addEventListener("click", () => share.copy(one("#share-embed").value, "Embed code copied"));
    one("#share-copy-python").addEventListener("click", () => share.copy(one("#share-python").value, "Python copied"));
    one("#present-button").addEventListener("click", KEYS.p);
    one("#theme-button").addEventListener("click", share.toggleTheme);
    system.addEventListener("change", share.applyTheme);
    document.addEventListener("plateau:view", (event) => { if (event.detail.changed.includes("theme")) share.applyTheme(); });
    document.addEventListener("keydown", onKey);
  };
})();
