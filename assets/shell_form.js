/* The settings form: the same values as the link, in both directions.

   `draft` is the configuration on screen. Typing changes the draft and asks the server what it
   would mean (errors, cost, picture); leaving the field or letting go of a slider writes it into
   the link. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const form = (plateau.form = { draft: {}, localErrors: {} });
  let spec = null;
  let timer = 0;
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  /* ---- what a key is when the link does not say -------------------------------------------- */
  form.methods = (config = form.draft) => (config.method || spec.fields.method.default).split(",").filter((name) => name in spec.methods);
  form.target = (config = form.draft) => spec.targets[config.target || spec.fields.target.default];

  form.defaultOf = (name, config = form.draft) => {
    const target = config.data ? null : form.target(config);
    if (target && name in target.defaults) return target.defaults[name];
    for (const method of form.methods(config)) if (name in spec.methods[method].parameters) return spec.methods[method].parameters[name];
    return spec.fields[name].default;
  };

  /* 10^8 and 1 000 000 are how people write numbers; the link has one spelling. */
  form.canonical = (text) => {
    const plain = text.trim().replace(/\u2212/g, "-").replace(/^10\^/, "1e").replace(/[\s_\u202f']/g, "");
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) && Number.isFinite(Number(plain)) ? plateau.link.number(Number(plain)) : text.trim();
  };

  /* ---- sliders ------------------------------------------------------------------------------ */
  const toSlider = ([low, high, log], value) => {
    const share = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
    return Math.round(1000 * Math.min(1, Math.max(0, share || 0)));
  };
  const fromSlider = ([low, high, log], place, whole) => {
    const share = place / 1000;
    const value = log ? low * Math.pow(high / low, share) : low + share * (high - low);
    const rounded = Number(value.toPrecision(log ? 2 : 3));
    return whole ? Math.max(low, Math.min(high, Math.round(rounded))) : rounded;
  };
  const setSlider = (slider, range, text) => {
    if (!slider) return;
    slider.value = toSlider(range, Number(text));
    slider.style.setProperty("--fill", `${slider.value / 10}%`);
  };

  /* ---- link to form -------------------------------------------------------------------------- */
  form.show = (config) => {
    form.draft = { ...config };
    for (const box of all("#settings .field[data-field]")) if (box.dataset.kind !== "budget") showField(box);
    showMethods();
    plateau.target.show(form.draft);
    showDigests();
    form.showPreset();
  };

  function showField(box) {
    const name = box.dataset.field;
    const text = form.draft[name] ?? form.defaultOf(name);
    const field = spec.fields[name];
    if (box.dataset.kind === "domain") {
      const [low, high] = text.split(",");
      one("[data-part=low]", box).value = low ?? "";
      one("[data-part=high]", box).value = high ?? "";
    } else {
      one("[data-part=value]", box).value = text;
      setSlider(one("[data-part=slider]", box), field.slider, text);
    }
    box.hidden = field.methods.length > 0 && !form.methods().some((method) => field.methods.includes(method));
    const given = form.draft.data || form.target()?.fixed;
    const fixed = Boolean(given) && ["points", "sampling", "domain"].includes(name);
    for (const input of all("input, select", box)) input.disabled = fixed;
    box.title = fixed ? "Given by the data" : "";
  }

  function showMethods() {
    const chosen = form.methods();
    const given = form.draft.epochs ? form.draft.epochs.split(",") : [];
    for (const chip of all("#methods .chip")) one("input", chip).checked = chosen.includes(chip.dataset.method);
    for (const row of all(".budget")) {
      const name = row.dataset.method;
      const place = chosen.indexOf(name);
      row.hidden = place < 0;
      const text = place < 0 ? spec.methods[name].epochs : given.length === 1 ? given[0] : given[place] ?? spec.methods[name].epochs;
      one("[data-part=value]", row).value = text;
      setSlider(one("[data-part=slider]", row), [1, spec.methods[name].highest, true], text);
    }
  }

  function showDigests() {
    const value = (name) => form.draft[name] ?? form.defaultOf(name);
    const say = (group, text) => { const place = one(`#digest-${group}`); if (place) place.textContent = text; };
    say("target", form.draft.data ? "own points" : form.target()?.title ?? form.draft.target);
    say("data", form.draft.data ? `seed ${value("seed")}` : `${value("points")} points, seed ${value("seed")}`);
    say("network", `width ${value("width")}, ${value("init")}`);
    say("method", form.methods().map((name) => spec.methods[name].title).join(", "));
  }

  form.showPreset = () => {
    const query = plateau.link.join(form.draft, {});
    const preset = spec.presets.find((entry) => entry.query === query);
    one("#preset").value = preset ? preset.name : "";
    one("#preset-note").textContent = preset ? preset.note : "";
    one("#target-watch").hidden = Boolean(preset);
  };

  /* ---- form to draft ------------------------------------------------------------------------- */
  form.patch = (changes) => {
    for (const [name, text] of Object.entries(changes)) {
      if (text === null || text === "") delete form.draft[name];
      else form.draft[name] = text;
    }
    for (const name of Object.keys(changes)) {
      if (name in spec.fields && name !== "epochs" && form.draft[name] === form.defaultOf(name)) delete form.draft[name];
    }
    for (const method of [...new Set(Object.values(spec.fields).filter((field) => field.methods.length).map((field) => field.name))]) {
      if (!form.methods().some((name) => spec.fields[method].methods.includes(name))) delete form.draft[method];
    }
  };

  function readField(box) {
    const name = box.dataset.field;
    if (box.dataset.kind === "domain") {
      return { [name]: `${form.canonical(one("[data-part=low]", box).value)},${form.canonical(one("[data-part=high]", box).value)}` };
    }
    const text = one("[data-part=value]", box).value;
    if (box.dataset.kind === "list") return { [name]: text.split(/[,;\s]+/).filter(Boolean).map(form.canonical).join(",") };
    return { [name]: box.dataset.kind === "choice" ? text : form.canonical(text) };
  }

  function readMethods() {
    const chosen = all("#methods input:checked").map((input) => input.value);
    const rows = chosen.map((name) => one(`.budget[data-method="${name}"] [data-part=value]`));
    const budgets = rows.map((input, i) => form.canonical(input.value) || spec.methods[chosen[i]].epochs);
    const usual = budgets.every((text, i) => text === spec.methods[chosen[i]].epochs);
    const same = new Set(budgets).size === 1;
    form.localErrors.method = chosen.length ? "" : "Tick at least one method.";
    return { method: chosen.join(","), epochs: usual ? "" : same ? budgets[0] : budgets.join(",") };
  }

  function onInput(event) {
    const box = event.target.closest(".field[data-field]");
    if (!box) return;
    const row = event.target.closest(".field-row");
    if (event.target.dataset.part === "slider") {
      const method = row.dataset.method;
      const field = spec.fields[box.dataset.field];
      const range = method ? [1, spec.methods[method].highest, true] : field.slider;
      one("[data-part=value]", row).value = plateau.link.number(fromSlider(range, Number(event.target.value), field.kind === "int"));
      event.target.style.setProperty("--fill", `${event.target.value / 10}%`);
    } else if (event.target.dataset.part === "value") {
      const method = row.dataset.method;
      const range = method ? [1, spec.methods[method].highest, true] : spec.fields[box.dataset.field].slider;
      setSlider(one("[data-part=slider]", row), range, form.canonical(event.target.value));
    }
    form.patch(box.dataset.kind === "budget" ? readMethods() : readField(box));
    form.check();
  }

  function onChange(event) {
    if (event.target.closest("#methods")) {
      form.patch(readMethods());
      if (form.localErrors.method) return plateau.runs.showErrors([]);
      return form.commit();
    }
    if (event.target.closest(".field[data-field]")) {
      onInput(event);
      form.commit();
    }
  }

  /* ---- draft to server and link --------------------------------------------------------------- */
  form.check = (delay = 220) => {
    clearTimeout(timer);
    timer = setTimeout(() => plateau.runs.resolve("draft", form.draft), delay);
  };

  form.commit = () => {
    clearTimeout(timer);
    const same = plateau.link.join(form.draft, {}) === plateau.link.configQuery();
    if (same && !plateau.runs.doubtful()) return Promise.resolve();
    plateau.link.setConfig(form.draft);
    form.show(plateau.link.config);
    return plateau.runs.resolve("change", plateau.link.config);
  };

  form.start = (specification) => {
    spec = specification;
    const settings = one("#settings");
    settings.addEventListener("submit", (event) => event.preventDefault());
    settings.addEventListener("input", onInput);
    settings.addEventListener("change", onChange);
    settings.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) {
        event.preventDefault();
        event.target.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    one("#dice").addEventListener("click", () => {
      form.patch({ seed: String(Math.floor(Math.random() * 1000)) });
      form.commit();
    });
    one("#preset").addEventListener("change", (event) => {
      const preset = spec.presets.find((entry) => entry.name === event.target.value);
      if (!preset) return;
      form.draft = plateau.link.parse(preset.query).config;
      form.commit();
    });
    document.addEventListener("plateau:config", () => {
      form.show(plateau.link.config);
      plateau.runs.resolve("open", plateau.link.config);
    });
  };
})();
