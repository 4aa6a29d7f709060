/* The form of the Study page and the link below it say the same. A field that is changed is written into the link;
   a link that is opened or typed is shown in the fields. Keys that have no field stay as they are. */
(function () {
  "use strict";
  const place = (name) => document.getElementById(name);
  const boxes = () => [...place("study-form").querySelectorAll("[name=method]")];
  const fields = () => [...place("study-form").querySelectorAll("input[type=text], select")];
  const pairsOf = (text) => new Map(text.split("&").filter(Boolean).map((pair) => {
    const [key, ...value] = pair.split("=");
    return [key, value.join("=")];
  }));
  const plain = (value) => { try { return decodeURIComponent(value); } catch { return value; } };
  const spelled = (value) => value.trim().replace(/[%&#+\s]/g, encodeURIComponent);
  const usualOf = (name) => boxes().find((box) => box.value === name)?.dataset.epochs ?? "";
  const split = (text) => text.split(",").filter(Boolean);

  /* What is not offered, such as a formula, is offered while the link has it. */
  const choose = (list, value) => {
    list.querySelector("[data-linked]")?.remove();
    if (![...list.options].some((entry) => entry.value === value)) {
      const entry = new Option(value.length > 40 ? `${value.slice(0, 39)}…` : value, value);
      entry.dataset.linked = "";
      list.add(entry);
    }
    list.value = value;
  };
  const show = () => {
    const pairs = pairsOf(place("study-query").value);
    for (const field of fields()) {
      const value = plain(pairs.get(field.name) ?? "");
      if (field.name === "target") { choose(field, pairs.has("data") ? "own data" : value || field.options[0].value); }
      else if (field !== document.activeElement) { field.value = value; }
    }
    const methods = split(pairs.get("method") ?? boxes()[0].value);
    for (const box of boxes()) { box.checked = methods.includes(box.value); }
  };

  /* Budgets go with their methods: one that is added has its usual budget. */
  const methodsInto = (pairs) => {
    const before = split(pairs.get("method") ?? boxes()[0].value);
    const budgets = split(plain(pairs.get("epochs") ?? ""));
    const chosen = boxes().filter((box) => box.checked).map((box) => box.value);
    const methods = [...before.filter((name) => chosen.includes(name)), ...chosen.filter((name) => !before.includes(name))];
    pairs.set("method", methods.join(","));
    if (budgets.length > 1) { pairs.set("epochs", methods.map((name) => budgets[before.indexOf(name)] ?? usualOf(name)).join(",")); }
  };
  const write = (field, isDone) => {
    const query = place("study-query");
    const pairs = pairsOf(query.value);
    if (field.name === "method") {
      if (!boxes().some((box) => box.checked)) { field.checked = true; }
      methodsInto(pairs);
    } else if (field.name === "target" && field.value === "own data") { return; }
    else {
      if (field.name === "target") { for (const key of ["data", "units", "labels", "calendar"]) { pairs.delete(key); } }
      if (field.value.trim()) { pairs.set(field.name, spelled(field.value)); } else { pairs.delete(field.name); }
    }
    const text = [...pairs].map(([key, value]) => `${key}=${value}`).join("&");
    if (text !== query.value) {
      query.value = text;
      query.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (isDone) {
      query.dispatchEvent(new Event("change", { bubbles: true }));
      show();
    }
  };
  const isField = (event) => place("study-form")?.contains(event.target) && place("study-query");
  document.addEventListener("input", (event) => {
    if (isField(event)) { write(event.target, false); }
    else if (event.target.id === "study-query" && event.isTrusted) { show(); }
  });
  document.addEventListener("change", (event) => { if (isField(event)) { write(event.target, true); } });
  document.addEventListener("submit", (event) => { if (event.target.id === "study-form") { event.preventDefault(); } });
  document.addEventListener("study:linked", show);
})();
