/* The header line and the progress: what is running, how fast, how long still, why it ended. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const progress = (plateau.progress = {});
  let spec = null, online = true;
  const one = (selector) => document.querySelector(selector);
  const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

  /* Three digits; powers of ten as such, never 1000000. */
  const number = (value, digits = 3) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (value === 0) return "0";
    if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits)));
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const power = "10" + [...String(Number(exponent))].map((sign) => SUPERSCRIPT[sign]).join("");
    return Number(mantissa) === 1 ? power : `${Number(mantissa)}·${power}`;
  };
  const rate = (value) => (value >= 1e6 ? `${(value / 1e6).toPrecision(2)} M` : value >= 1e3 ? `${Math.round(value / 1e3)} k` : value >= 10 ? Math.round(value) : value.toPrecision(2));
  plateau.format = { ...(plateau.format || {}), number, epochs: number, rate };

  const prose = (text) => text.replace(/\d+(\.\d+)?e[+-]?\d+/g, (written) => number(Number(written)));

  const title = (method) => spec.methods[method]?.title ?? method;

  function leading(infos) {
    const focus = plateau.link.view.focus;
    return infos.find((info) => info.status === "running") ?? infos.find((info) => info.status === "queued") ?? infos.find((info) => info.method === focus) ?? infos[0];
  }

  function headline(info, infos) {
    const many = infos.length > 1 ? `${title(info.method)} ` : "";
    if (info.status === "running") {
      const left = info.seconds_left ? `, ${plateau.runs.seconds(info.seconds_left)} left` : "";
      return info.rate ? `${many}running, ${rate(info.rate)} epochs/s${left}` : `${many}starting`;
    }
    if (info.status === "queued") return info.position ? `${many}queued, number ${info.position}` : `${many}queued`;
    const states = new Set(infos.map((entry) => entry.status));
    return states.size === 1 ? info.status : infos.map((entry) => `${title(entry.method)} ${entry.status}`).join(", ");
  }

  progress.show = (infos, { same, running }) => {
    const bar = one("#progress");
    if (!infos.length) {
      one("#run-status").textContent = plateau.race.length ? "loading" : "";
      one("#run-dot").dataset.state = "";
      one("#run-chip").textContent = "";
      return;
    }
    const info = leading(infos);
    one("#run-chip").textContent = `run ${info.id.slice(0, 4)}…`;
    one("#run-chip").title = infos.map((entry) => `${title(entry.method)} ${entry.id}`).join("\n");
    one("#run-dot").dataset.state = online ? info.status : "failed";
    const text = headline(info, infos);
    if (one("#run-status").textContent !== text) one("#run-status").textContent = text;
    const watching = Math.max(...infos.map((entry) => entry.watching || 0));
    one("#watching").textContent = watching > 1 ? `${watching} watching` : "";
    const active = ["running", "queued"].includes(info.status);
    const share = active ? Math.min(1, (info.epoch || 0) / (info.budget || 1)) : 1;
    bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    bar.setAttribute("aria-valuenow", Math.round(100 * share));
    const place = one("#run-note");
    if (place.classList.contains("wrong")) return;
    if (!same) return place.replaceChildren();
    const told = infos.filter((entry) => running ? ["running", "queued"].includes(entry.status) : entry.reason);
    /* Of a large race only what is not routine: that a budget is used up shows in the picture. */
    const routine = (entry) => told.length > 3 && entry.outcome === "budget" && entry.status === "finished";
    const lines = told.filter((entry) => running || !routine(entry)).map((entry) => {
      const name = infos.length > 1 ? `${title(entry.method)}: ` : "";
      if (entry.status === "running") {
        const left = entry.seconds_left ? ` · ${plateau.runs.seconds(entry.seconds_left)} left` : "";
        return `${name}${number(entry.epoch)} of ${number(entry.budget)} epochs · ${Math.floor(100 * Math.min(1, entry.epoch / entry.budget))} %${left}`;
      }
      return entry.status === "queued" ? `${name}waiting${entry.position ? `, number ${entry.position} in the queue` : ""}` : `${name}${prose(entry.reason)}`;
    });
    place.replaceChildren(...lines.map((line) => Object.assign(document.createElement("span"), { textContent: line, className: "run-note-line" })));
  };

  progress.start = (specification) => {
    spec = specification;
    document.addEventListener("plateau:connection", (event) => {
      online = event.detail.ok ?? event.detail.online;
      const banner = one("#banner");
      banner.hidden = online;
      banner.textContent = online ? "" : event.detail.message || "The server does not answer. What is here stays; trying again.";
    });
    const pause = one("#pause");
    pause.addEventListener("click", () => {
      const state = plateau.player.state();
      if (state.playing || state.following) {
        plateau.player.pause();
        plateau.player.follow(false);
      } else plateau.player.follow(true);
      setTimeout(labelPause, 0);
    });
    const labelPause = () => {
      const state = plateau.player?.state?.();
      pause.textContent = state && !state.following && !state.playing ? "Follow live" : "Pause view";
    };
    document.addEventListener("plateau:moment", labelPause);
  };
})();
