/* Hands on: the chosen neuron can be moved by number or pushed over its neighbouring data point, and a run
   started from the network on screen. The panels draw the moved network meanwhile (see 72_edits.js). */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const hands = (plateau.hands = {});
  const LONGEST = 3600;
  let chosen = null, edited = null;
  const one = (selector) => document.querySelector(selector);

  const button = (text, act, extra = "") => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: `button ${extra}` });
    made.addEventListener("click", act);
    return made;
  };

  function build() {
    const box = one("#hands-on");
    const label = Object.assign(document.createElement("label"), { htmlFor: "hands-bias", id: "hands-name" });
    const bias = Object.assign(document.createElement("input"), { id: "hands-bias", className: "number", type: "text", inputMode: "decimal", autocomplete: "off" });
    bias.addEventListener("change", () => {
      const value = Number(plateau.form.canonical(bias.value));
      if (Number.isFinite(value)) plateau.player.edit(chosen, value);
      else plateau.toast("A bias is a number.");
    });
    bias.addEventListener("keydown", (event) => { if (event.key === "Enter") bias.dispatchEvent(new Event("change")); });
    box.append(
      label, bias,
      button("Push left", () => plateau.player.pushOver(chosen, "left")),
      button("Push right", () => plateau.player.pushOver(chosen, "right")),
      Object.assign(document.createElement("p"), { id: "hands-note" }),
      button("Start a run from here", start, "primary"),
      button("Drop", drop, "quiet"),
    );
  }

  function show() {
    const box = one("#hands-on");
    box.hidden = chosen === null;
    if (box.hidden) return;
    const now = edited ?? plateau.player.moment?.();
    if (!now?.b) { box.hidden = true; return; }
    one("#hands-name").textContent = `Neuron ${chosen} at b =`;
    if (document.activeElement !== one("#hands-bias")) one("#hands-bias").value = plateau.link.number(Number(now.b[chosen - 1].toPrecision(6)));
    one("#hands-note").textContent = edited ? `The loss goes from ${plateau.format.number(edited.loss_before)} to ${plateau.format.number(edited.loss)}.` : "Drag its cross, type a number, or push it over the next data point.";
    box.querySelector(".primary").disabled = !edited;
  }

  /* As many digits as fit into a link. */
  function start() {
    if (!edited) return;
    const fits = [17, 12, 9, 7].find((digits) => {
      const length = [...edited.b, ...edited.c].reduce((sum, value) => sum + plateau.link.number(Number(value.toPrecision(digits))).length + 1, 0);
      return length < LONGEST;
    });
    if (!fits) return plateau.toast("So wide a network does not fit into a link.");
    const round = (values) => values.map((value) => Number(value.toPrecision(fits)));
    const { b, c } = edited;
    drop();
    plateau.fork({ biases: round(b), coefficients: round(c) });
  }

  function drop() {
    plateau.player.clearEdit?.();
    plateau.player.setView?.({ neuron: null });
    chosen = edited = null;
    plateau.link.setView({ neuron: null });
    show();
  }

  hands.start = () => {
    build();
    document.addEventListener("plateau:edit", (event) => {
      edited = event.detail.cleared ? null : event.detail;
      if (edited) chosen = edited.neuron;
      show();
    });
    document.addEventListener("plateau:neuron", (event) => {
      chosen = event.detail.neuron ?? null;
      if (chosen === null) edited = null;
      show();
    });
    document.addEventListener("plateau:moment", () => { if (chosen !== null && !edited) show(); });
    document.addEventListener("plateau:race", () => { chosen = edited = null; show(); });
  };
  hands.drop = () => { if (chosen === null) return false; drop(); return true; };
})();
