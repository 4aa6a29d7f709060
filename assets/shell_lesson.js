/* A lesson beside the Lab: one step at a time, each with the link that the Lab then shows; predict, then see. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const lesson = (plateau.lesson = {});
  const one = (selector, root = document) => root.querySelector(selector);
  const OWN = ["theme", "present", "follow", "embed"];
  let shown = "", opening = false;

  const section = (step) => one(`#lesson-text .lesson-step[data-step="${step}"]`);
  const count = () => document.querySelectorAll("#lesson-text .lesson-step").length;
  const current = () => Math.min(Math.max(1, count()), Number(plateau.link.view.step) || 1);
  const own = () => Object.fromEntries(OWN.map((key) => [key, plateau.link.view[key]]));

  /* True when a lesson has to arrive before the Lab knows what to show. */
  lesson.opens = () => {
    const { view, config } = plateau.link;
    apply();
    if (!view.lesson) return false;
    opening = !Object.keys(config).length;
    ask();
    return opening;
  };

  function ask() {
    if (shown === plateau.link.view.lesson) return;
    shown = plateau.link.view.lesson;
    window.dash_clientside.set_props("lesson-name", { data: shown });
  }

  /* Dash has answered; React puts the text into the page a moment later. */
  function arrive() {
    const wait = (tries) => {
      if (!one("#lesson-text").children.length && tries) return requestAnimationFrame(() => wait(tries - 1));
      apply();
      if (!opening) return;
      opening = false;
      const start = section(current());
      if (!start) return plateau.link.restart();
      const asked = plateau.link.parse(start.dataset.query);
      plateau.link.go(asked.config, { ...asked.view, ...plateau.link.view }, { push: false });
    };
    wait(120);
    return true;
  }

  lesson.go = (step) => {
    const place = section(step);
    if (!place) return;
    const asked = plateau.link.parse(place.dataset.query);
    plateau.link.go(asked.config, { ...asked.view, ...own(), lesson: plateau.link.view.lesson, step: String(step) });
    if (!asked.view.at) plateau.player?.seek(Infinity, "open");
    one("#lesson-text").scrollTop = 0;
    one("#lesson-text").focus({ preventScroll: true });
  };
  lesson.step = (by) => lesson.go(current() + by);
  lesson.leave = () => plateau.link.setView({ lesson: null, step: null, highlight: null, controls: null }, { push: true });

  /* ---- what is on screen ------------------------------------------------------------------------- */
  function apply() {
    const { view } = plateau.link;
    const root = document.documentElement;
    root.toggleAttribute("data-lesson", Boolean(view.lesson));
    if (view.controls) root.dataset.controls = view.controls;
    else delete root.dataset.controls;
    one("#lesson").hidden = !view.lesson;
    const marked = (view.highlight || "").split(",");
    for (const panel of document.querySelectorAll(".panel")) panel.classList.toggle("highlighted", marked.includes(panel.dataset.panel));
    if (!view.lesson) return showReady();
    const [step, steps] = [current(), count()];
    for (const place of document.querySelectorAll("#lesson-text .lesson-step")) place.hidden = Number(place.dataset.step) !== step;
    const end = one("#lesson-text .lesson-end");
    if (end) end.hidden = step < steps;
    one("#lesson-place").textContent = steps ? `${step} of ${steps}` : "";
    one("#lesson").style.setProperty("--done", steps ? `${(100 * step) / steps}%` : "0%");
    one("#lesson-back").disabled = step <= 1;
    one("#lesson-next").disabled = step >= steps;
    showReady();
  }

  const showReady = () => {
    const open = plateau.link.view.lesson && section(current())?.querySelector(".question:not([data-answered])");
    one("#lesson-next").classList.toggle("primary", !open);
    document.documentElement.toggleAttribute("data-curtain", Boolean(open && open.dataset.query));
    plateau.player?.redraw?.("marks");
  };

  /* ---- predict, then see -------------------------------------------------------------------------- */
  function answer(option) {
    const question = option.closest(".question");
    if (question.hasAttribute("data-answered")) return;
    question.dataset.answered = "1";
    const right = option.dataset.right === "1";
    option.setAttribute("aria-pressed", "true");
    for (const other of question.querySelectorAll(".option")) {
      other.setAttribute("aria-disabled", "true");
      other.classList.toggle("right", other.dataset.right === "1");
      other.classList.toggle("wrong", other === option && !right);
    }
    one(".verdict", question).textContent = right ? "Yes." : "Not quite.";
    const reveal = one(".reveal", question);
    reveal.hidden = false;
    reveal.setAttribute("role", "status");
    reveal.scrollIntoView({ block: "nearest" });
    showReady();
    if (!question.dataset.query) return;
    const asked = plateau.link.parse(question.dataset.query);
    const config = Object.keys(asked.config).length ? asked.config : plateau.link.config;
    plateau.link.go(config, { ...plateau.link.view, ...asked.view }, { push: false });
  }

  const TYPING = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable], dialog";
  const MOVES = { n: 1, PageDown: 1, b: -1, PageUp: -1 };
  function onKey(event) {
    const by = MOVES[event.key];
    if (!by || !plateau.link.view.lesson || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
    event.preventDefault();
    lesson.step(by);
  }

  lesson.start = () => {
    one("#lesson-back").addEventListener("click", () => lesson.step(-1));
    one("#lesson-next").addEventListener("click", () => lesson.step(1));
    one("#lesson-leave").addEventListener("click", lesson.leave);
    one("#lesson-text").addEventListener("click", (event) => {
      const option = event.target.closest(".option");
      if (option) answer(option);
    });
    document.addEventListener("keydown", onKey);
    document.addEventListener("plateau:view", () => {
      apply();
      if (plateau.link.view.lesson) ask();
    });
  };

  window.dash_clientside.shell.lesson = arrive;
})();
