/* The target: gallery, formula or own points, and the small picture of the data under it.

   In "My data" the picture is an editor: a click adds a point, a click on a point takes it away.
   The text area holds the same points and is the way for the keyboard. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const target = (plateau.target = {});
  const NS = "http://www.w3.org/2000/svg";
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  let spec = null, source = "gallery", points = [], frame = null, timer = 0, latest = null;
  let sent = { data: null, text: "" };

  const setSource = (name) => {
    source = name;
    for (const part of all("#settings [data-source]")) part.hidden = part.dataset.source !== name;
    one(`#source-${name}`).checked = true;
    one("#thumbnail").classList.toggle("editable", name === "data");
  };

  /* ---- link to form -------------------------------------------------------------------------- */
  target.show = (config) => {
    const name = config.target ?? spec.fields.target.default;
    setSource(config.data ? "data" : name in spec.targets ? "gallery" : "formula");
    plateau.form.localErrors.data = "";
    if (source === "gallery") {
      one("#field-target-name").value = name;
      one("#target-watch").textContent = spec.targets[name].watch;
    } else if (source === "formula") {
      if (document.activeElement !== one("#field-target")) one("#field-target").value = name;
    } else if (!config.data.startsWith("@")) {
      points = config.data.split(";").filter(Boolean).map((pair) => pair.split(":").map(Number));
      if (document.activeElement !== one("#data-text")) one("#data-text").value = config.data.replace(/:/g, ", ").replace(/;/g, "\n");
      one("#data-text").placeholder = "";
    } else {
      points = [];
      one("#data-text").value = config.data === sent.data ? sent.text : "";
      one("#data-text").placeholder = "An uploaded set of points. Paste here to replace it.";
    }
  };

  /* ---- the picture --------------------------------------------------------------------------- */
  const make = (name, attributes, parent) => {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (parent) parent.appendChild(node);
    return node;
  };
  const widen = (low, high) => (high > low ? [low - 0.06 * (high - low), high + 0.06 * (high - low)] : [low - 1, high + 1]);

  target.draw = (picture) => {
    latest = picture ?? latest;
    const box = one("#thumbnail");
    const width = box.clientWidth || 270, height = box.clientHeight || 84;
    const editing = source === "data";
    let x = latest?.x ?? [], y = latest?.y ?? [];
    if (editing && (points.length || !plateau.form.draft.data)) {
      x = points.map((point) => point[0]);
      y = points.map((point) => point[1]);
    }
    const curve = editing ? null : latest?.curve;
    const ys = y.concat(curve ? curve.y : []), xs = x.concat(curve ? curve.x : []);
    const least = editing ? [-1, 1] : [];
    const [x0, x1] = widen(Math.min(...xs, ...least), Math.max(...xs, ...least));
    const [y0, y1] = widen(Math.min(...ys, ...least), Math.max(...ys, ...least));
    frame = { x0, x1, y0, y1, width, height };
    const px = (value) => (((value - x0) / (x1 - x0)) * width).toFixed(1);
    const py = (value) => (height - ((value - y0) / (y1 - y0)) * height).toFixed(1);
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    if (y0 < 0 && y1 > 0) make("line", { class: "axis", x1: 0, x2: width, y1: py(0), y2: py(0) }, svg);
    if (curve) make("path", { class: "curve", d: curve.x.map((value, i) => (curve.y[i] === null ? "" : `${i && curve.y[i - 1] !== null ? "L" : "M"}${px(value)} ${py(curve.y[i])}`)).join("") }, svg);
    const size = editing ? 4 : x.length > 60 ? 1.2 : 2;
    x.forEach((value, i) => make("rect", { class: "datum", "data-index": i, x: px(value) - size, y: py(y[i]) - size, width: 2 * size, height: 2 * size }, svg));
    if (editing && !x.length) make("text", { class: "say", x: width / 2, y: height / 2 }, svg).textContent = "Click to add points";
    box.replaceChildren(svg);
    box.setAttribute("aria-label", `Picture of ${latest?.m ?? x.length} data points`);
  };

  /* ---- own points ---------------------------------------------------------------------------- */
  const nice = (value, range) => Number(value.toFixed(Math.max(0, 3 - Math.ceil(Math.log10(range)))));

  function onPicture(event) {
    if (source !== "data" || !frame) return;
    const place = one("#thumbnail").getBoundingClientRect();
    const x = frame.x0 + ((event.clientX - place.left) / place.width) * (frame.x1 - frame.x0);
    const y = frame.y1 - ((event.clientY - place.top) / place.height) * (frame.y1 - frame.y0);
    const index = event.target.dataset?.index;
    if (index !== undefined && points.length) points.splice(Number(index), 1);
    else points.push([nice(x, frame.x1 - frame.x0), nice(y, frame.y1 - frame.y0)]);
    points.sort((a, b) => a[0] - b[0]);
    one("#data-text").value = points.map((point) => point.join(", ")).join("\n");
    target.draw();
    send();
  }

  /* Two points are the least that makes data; until then the link keeps what it had. */
  async function send() {
    const text = one("#data-text").value;
    if (!text.trim()) {
      points = [];
      target.draw();
      return refuse("Add at least two points.");
    }
    const answer = await plateau.runs.post("/api/points", { csv: text });
    if (!answer.ok || answer.body.error) return refuse(answer.body.error || "These data were not accepted.");
    one("#data-notes").textContent = (answer.body.notes || []).join("; ");
    plateau.form.localErrors.data = "";
    sent = { data: answer.body.data, text };
    plateau.form.patch({ data: answer.body.data, target: null, points: null, sampling: null, domain: null });
    plateau.form.commit();
  }

  function refuse(text) {
    plateau.form.localErrors.data = text.replace(/^data: /, "");
    plateau.runs.showErrors([]);
  }

  async function openFile(event) {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    if (file.size > spec.limits.upload_bytes) return refuse(`The file has ${file.size} bytes, at most ${spec.limits.upload_bytes} are allowed.`);
    one("#data-text").value = await file.text();
    send();
  }

  /* ---- choices ------------------------------------------------------------------------------- */
  function choose(name) {
    const draft = plateau.form.draft;
    setSource(name);
    plateau.form.localErrors.data = "";
    if (name === "gallery") {
      const known = draft.target in spec.targets ? draft.target : one("#field-target-name").value || spec.fields.target.default;
      changeTarget(known);
    } else if (name === "formula") {
      const known = spec.targets[draft.target ?? spec.fields.target.default];
      const text = draft.data ? "sin(pi*x)" : known?.formula || (known ? "sin(pi*x)" : draft.target);
      one("#field-target").value = text;
      changeTarget(text, known?.defaults);
      one("#field-target").focus();
    } else {
      points = [];
      one("#data-text").value = "";
      target.draw({ x: [], y: [], curve: null, m: 0 });
      refuse("Add at least two points.");
    }
  }

  /* A formula taken over from the gallery keeps the settings that came with it. */
  function changeTarget(text, keep = {}) {
    const kept = {};
    for (const [key, value] of Object.entries(keep)) kept[key] = plateau.form.draft[key] ?? value;
    plateau.form.patch({ target: text, data: null, biases: null, coefficients: null, ...kept });
    plateau.form.commit();
  }

  target.start = (specification) => {
    spec = specification;
    one("#source").addEventListener("change", (event) => { event.stopPropagation(); choose(event.target.value); });
    one("#field-target-name").addEventListener("change", (event) => { event.stopPropagation(); changeTarget(event.target.value); });
    const formula = one("#field-target");
    formula.addEventListener("input", (event) => {
      event.stopPropagation();
      plateau.form.patch({ target: formula.value.trim() || null, data: null });
      plateau.form.localErrors.target = formula.value.trim() ? "" : "Write a formula in x, such as sin(pi*x).";
      plateau.form.check();
    });
    formula.addEventListener("change", (event) => { event.stopPropagation(); if (formula.value.trim()) changeTarget(formula.value.trim()); });
    one("#thumbnail").addEventListener("click", onPicture);
    one("#data-text").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(send, 400); });
    one("#data-file").addEventListener("change", openFile);
    one("#data-clear").addEventListener("click", () => {
      one("#data-text").value = "";
      send();
      one("#data-text").focus();
    });
    new ResizeObserver(() => target.draw()).observe(one("#thumbnail"));
    document.addEventListener("plateau:theme", () => target.draw());
  };
})();
