/** The settings form: the same values as the link, in both directions.
 *
 *  `draft` is the configuration on screen. Typing changes the draft and asks the server what it would mean
 *  (errors, cost, picture); leaving the field or letting go of a slider writes it into the link. */

import { spelled } from "../format.ts";
import { configQuery, join, link, parse, setConfig, type Texts } from "./link.ts";
import { all, on, one, page, type TargetInfo } from "./page.ts";
import { isDoubtful, resolve, showErrors } from "./runs.ts";
import { showTarget } from "./target.ts";

type Range = [number, number, boolean];
const CHECK_AFTER = 220;
let timer = 0;

export const form = { draft: {} as Texts, errors: {} as Texts };

// ---- what a key is when the link does not say --------------------------------------------------------------

export const methodsOf = (config: Texts): string[] =>
  (config.method || page.spec.fields.method.default).split(",").filter((name) => name in page.spec.methods);

export const targetOf = (config: Texts): TargetInfo | undefined => page.spec.targets[config.target || page.spec.fields.target.default];

export function defaultOf(name: string, config: Texts = form.draft): string {
  const { fields, methods } = page.spec;
  const target = config.data ? null : targetOf(config);
  if (target && name in target.defaults) return target.defaults[name];
  const method = methodsOf(config).find((one) => name in methods[one].parameters);
  return method ? methods[method].parameters[name] : fields[name].default;
}

/** 10^8 and 1 000 000 are how people write numbers; the link has one spelling, whole numbers in full. */
export function canonical(text: string, whole = false): string {
  const plain = text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(/^10\^/, "1e")
    .replace(/[\s_\u202f']/g, "");
  const value = Number(plain);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) || !Number.isFinite(value)) return text.trim();
  return whole && Number.isSafeInteger(value) ? String(value) : spelled(value);
}

// ---- sliders -----------------------------------------------------------------------------------------------

export function toSlider([low, high, log]: Range, value: number): number {
  const share = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(1000 * Math.min(1, Math.max(0, share || 0)));
}

export function fromSlider([low, high, log]: Range, place: number, whole: boolean): number {
  const share = place / 1000;
  const value = log ? low * (high / low) ** share : low + share * (high - low);
  const rounded = Number(value.toPrecision(log ? 2 : 3));
  return whole ? Math.max(low, Math.min(high, Math.round(rounded))) : rounded;
}

function setSlider(row: HTMLElement, range: Range | null, text: string): void {
  const slider = one<HTMLInputElement>("[data-part=slider]", row);
  if (!slider || !range) return;
  slider.value = String(toSlider(range, Number(text)));
  slider.style.setProperty("--fill", `${Number(slider.value) / 10}%`);
}

const part = (name: string, root: HTMLElement): HTMLInputElement => one<HTMLInputElement>(`[data-part=${name}]`, root);
const budgetRange = (method: string): Range => [1, page.spec.methods[method].highest, true];

// ---- link to form ------------------------------------------------------------------------------------------

export function showForm(config: Texts): void {
  form.draft = { ...config };
  for (const box of all("#settings .field[data-field]")) if (box.dataset.kind !== "budget") showField(box);
  showMethods();
  showTarget(form.draft);
  showDigests();
  showPreset();
}

function showField(box: HTMLElement): void {
  const name = box.dataset.field!;
  const field = page.spec.fields[name];
  const text = form.draft[name] ?? defaultOf(name);
  if (box.dataset.kind === "domain") {
    const [low = "", high = ""] = text.split(",");
    part("low", box).value = low;
    part("high", box).value = high;
  } else {
    part("value", box).value = text;
    setSlider(box, field.slider, text);
  }
  box.hidden = field.methods.length > 0 && !methodsOf(form.draft).some((method) => field.methods.includes(method));
  const given = Boolean(form.draft.data || targetOf(form.draft)?.fixed);
  const fixed = given && ["points", "sampling", "domain"].includes(name);
  for (const input of all<HTMLInputElement>("input, select", box)) input.disabled = fixed;
  box.title = fixed ? "Given by the data" : "";
}

function showMethods(): void {
  const chosen = methodsOf(form.draft);
  const given = form.draft.epochs ? form.draft.epochs.split(",") : [];
  for (const chip of all("#methods .chip")) one<HTMLInputElement>("input", chip).checked = chosen.includes(chip.dataset.method!);
  for (const row of all(".budget")) {
    const name = row.dataset.method!;
    const place = chosen.indexOf(name);
    row.hidden = place < 0;
    const own = place < 0 ? undefined : given.length === 1 ? given[0] : given[place];
    const text = own ?? page.spec.methods[name].epochs;
    part("value", row).value = text;
    setSlider(row, budgetRange(name), text);
  }
}

function showDigests(): void {
  const { draft } = form;
  const value = (name: string): string => draft[name] ?? defaultOf(name);
  const points = draft.data ? "" : `${value("points")} points, `;
  const digests: Texts = {
    target: draft.data ? "own points" : (targetOf(draft)?.title ?? draft.target),
    data: `${points}seed ${value("seed")}`,
    network: `width ${value("width")}, ${value("init")}`,
    method: methodsOf(draft)
      .map((name) => page.spec.methods[name].title)
      .join(", "),
  };
  for (const [group, text] of Object.entries(digests)) one(`#digest-${group}`).textContent = text;
}

function showPreset(): void {
  const query = join(form.draft);
  const preset = page.spec.presets.find((entry) => entry.query === query);
  one<HTMLSelectElement>("#preset").value = preset?.name ?? "";
  one("#preset-note").textContent = preset?.note ?? "";
  one("#target-watch").hidden = Boolean(preset);
}

// ---- form to draft -----------------------------------------------------------------------------------------

export function patch(changes: Record<string, string | null>): void {
  const { draft } = form;
  for (const [name, text] of Object.entries(changes)) {
    if (text) draft[name] = text;
    else delete draft[name];
  }
  for (const name of Object.keys(changes))
    if (name in page.spec.fields && name !== "epochs" && draft[name] === defaultOf(name)) delete draft[name];
  for (const { name, methods } of Object.values(page.spec.fields))
    if (methods.length && !methodsOf(draft).some((method) => methods.includes(method))) delete draft[name];
}

function readField(box: HTMLElement): Texts {
  const name = box.dataset.field!;
  const { kind } = box.dataset;
  if (kind === "domain") return { [name]: `${canonical(part("low", box).value)},${canonical(part("high", box).value)}` };
  const text = part("value", box).value;
  if (kind === "list")
    return {
      [name]: text
        .split(/[,;\s]+/)
        .filter(Boolean)
        .map((number) => canonical(number))
        .join(","),
    };
  return { [name]: kind === "choice" ? text : canonical(text, kind === "int") };
}

function readMethods(): Texts {
  const chosen = all<HTMLInputElement>("#methods input:checked").map((input) => input.value);
  const usual = chosen.map((name) => page.spec.methods[name].epochs);
  const rows = chosen.map((name) => part("value", one(`.budget[data-method="${name}"]`)));
  const budgets = rows.map((input, i) => canonical(input.value) || usual[i]);
  const same = new Set(budgets).size === 1;
  form.errors.method = chosen.length ? "" : "Tick at least one method.";
  const epochs = budgets.join() === usual.join() ? "" : same ? budgets[0] : budgets.join(",");
  return { method: chosen.join(","), epochs };
}

function onInput(event: Event): void {
  const input = event.target as HTMLInputElement;
  const box = input.closest<HTMLElement>(".field[data-field]");
  if (!box) return;
  const row = input.closest<HTMLElement>(".field-row")!;
  const field = page.spec.fields[box.dataset.field!];
  const range = row.dataset.method ? budgetRange(row.dataset.method) : field.slider;
  if (input.dataset.part === "slider" && range) {
    const value = fromSlider(range, Number(input.value), field.kind === "int");
    part("value", row).value = canonical(String(value), field.kind === "int");
    input.style.setProperty("--fill", `${Number(input.value) / 10}%`);
  } else if (input.dataset.part === "value") setSlider(row, range, canonical(input.value));
  patch(box.dataset.kind === "budget" ? readMethods() : readField(box));
  check();
}

function onChange(event: Event): void {
  const input = event.target as Element;
  if (input.closest("#methods")) {
    patch(readMethods());
    if (form.errors.method) showErrors([]);
    else commit();
  } else if (input.closest(".field[data-field]")) {
    onInput(event);
    commit();
  }
}

// ---- draft to server and link ------------------------------------------------------------------------------

export function check(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => resolve("draft", form.draft), CHECK_AFTER);
}

export function commit(): Promise<void> {
  clearTimeout(timer);
  if (join(form.draft) === configQuery() && !isDoubtful()) return Promise.resolve();
  setConfig(form.draft);
  showForm(link.config);
  return resolve("change", link.config);
}

export function startForm(): void {
  on("#settings", "submit", (event) => event.preventDefault());
  on("#settings", "input", onInput);
  on("#settings", "change", onChange);
  one("#settings").addEventListener("keydown", (event) => {
    const input = event.target as Element;
    if (event.key !== "Enter" || !input.matches("input")) return;
    event.preventDefault();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  on("#dice", "click", () => {
    patch({ seed: String(Math.floor(Math.random() * 1000)) });
    commit();
  });
  on("#preset", "change", (event) => {
    const name = (event.target as HTMLSelectElement).value;
    const preset = page.spec.presets.find((entry) => entry.name === name);
    if (!preset) return;
    form.draft = parse(preset.query).config;
    commit();
  });
  page.events.on("config", () => {
    showForm(link.config);
    resolve("open", link.config);
  });
}
