/* Embedding: the code for another page, and in the iframe the way back to the whole Lab. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const embed = (plateau.embed = {});
  const one = (selector) => document.querySelector(selector);
  const HEIGHTS = { 1: 360, 2: 480 };
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

  const viewNow = () => {
    const state = plateau.player?.state?.();
    const at = state && !state.following && Number.isFinite(state.epoch) ? plateau.link.number(Number(state.epoch.toPrecision(7))) : plateau.link.view.at;
    return { ...plateau.link.view, at, present: "", follow: "", stages: "", lesson: "", step: "", highlight: "", controls: "" };
  };
  const address = (view) => `${location.origin}${location.pathname}?${plateau.link.full(plateau.link.config, view)}`;

  /* The panels on screen, or a single one of them. */
  embed.code = (panel = plateau.link.view.enlarged || "") => {
    const view = { ...viewNow(), embed: "1", enlarged: "", tab: "" };
    if (panel) view.panels = panel;
    const count = panel ? 1 : plateau.panels.order().length;
    return `<iframe src="${escape(address(view))}" title="Plateau Lab" width="100%" height="${HEIGHTS[count] || 640}" style="border:0" loading="lazy"></iframe>`;
  };

  const update = () => { one("#embed-open").href = address({ ...viewNow(), embed: "", lesson: plateau.link.view.lesson, step: plateau.link.view.step }); };

  embed.start = () => {
    const link = one("#embed-open");
    for (const cause of ["pointerdown", "focus", "click"]) link.addEventListener(cause, update);
    document.addEventListener("plateau:race", update);
    update();
  };
})();
