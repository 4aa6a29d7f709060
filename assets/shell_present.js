/* Present mode: two panels at most, keys only, and a QR code of the moment in the corner. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const present = (plateau.present = {});
  const one = (selector) => document.querySelector(selector);
  const TYPING = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable], dialog";
  let spec = null, on = false, before = null, timer = 0, shown = "";

  /* ---- the link for the audience: the same moment, without the present mode ---------------------- */
  present.path = () => {
    const { config, view } = plateau.link;
    const state = plateau.player?.state?.();
    const at = state && !state.following && Number.isFinite(state.epoch) ? plateau.link.number(Number(state.epoch.toPrecision(7))) : "";
    const theirs = { ...view, at, present: "", theme: "", panels: before ?? view.panels };
    return `${location.pathname}?${plateau.link.full(config, theirs)}`;
  };

  function showCode() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!on || plateau.player?.state?.().playing) return;
      const path = present.path();
      if (path === shown) return;
      shown = path;
      const image = Object.assign(document.createElement("img"), { src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: "QR code of this moment" });
      image.addEventListener("load", () => { one("#corner").hidden = false; one("#corner-code").replaceChildren(image); });
      /* Too long a link (own data in it) has no code. */
      image.addEventListener("error", () => { one("#corner").hidden = true; });
    }, 400);
  }

  /* ---- in and out --------------------------------------------------------------------------------- */
  function apply() {
    const now = Boolean(plateau.link.view.present);
    if (now === on) return now && showCode();
    on = now;
    if (on) {
      before = plateau.link.view.panels || "";
      document.activeElement?.blur?.();
      plateau.toast("Present mode. p or Esc leaves it, ? lists the keys.");
      showCode();
    } else {
      plateau.link.setView({ panels: before || null });
      before = null;
      shown = "";
    }
  }

  /* A number chooses the second panel; the number of a panel on screen makes it the only one, and back. */
  function choosePanel(index) {
    const name = spec.panels[index]?.name;
    if (!name) return;
    const [first, second] = plateau.panels.order();
    if (plateau.link.view.enlarged || name === first || name === second)
      return plateau.link.setView({ enlarged: plateau.link.view.enlarged === name ? null : name });
    plateau.link.setView({ panels: `${first},${name}` });
  }

  function nextMethod() {
    const methods = plateau.race.map((run) => run.method);
    const now = plateau.player.state().selected;
    plateau.player.select(methods[(methods.indexOf(now) + 1) % methods.length]);
  }

  /* Before the other listeners: in present mode some keys mean something else. */
  function onKey(event) {
    if (!on || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
    if (/^[1-9]$/.test(event.key)) choosePanel(Number(event.key) - 1);
    else if (event.key === "m" && plateau.race.length) nextMethod();
    else if (["PageDown", "PageUp"].includes(event.key) && !plateau.link.view.lesson) plateau.player?.stepStage(event.key === "PageDown" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  present.start = (specification) => {
    spec = specification;
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("plateau:view", apply);
    document.addEventListener("plateau:moment", showCode);
    document.addEventListener("plateau:race", showCode);
    document.addEventListener("plateau:status", (event) => {
      const watching = Math.max(0, ...event.detail.runs.map((run) => run.watching || 0));
      one("#corner-count").textContent = watching > 1 ? `${watching} watching` : "";
    });
    apply();
  };
})();
