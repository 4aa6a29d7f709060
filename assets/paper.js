// The pictures of the Paper page: the Lab's own panels, drawn once each when they come into sight,
// from runs that the server ships. It needs no player: a picture is a panel, some runs and a moment.
(function () {
  "use strict";

  const { draw, style, source, axes, poll } = plateau;
  const runs = new Map();
  const pictures = [];

  const themeName = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

  /** A run of which only the curve ships: every frame carries the last network, and only the last one shows it. */
  function fromCurve(entry, answer) {
    const run = new plateau.Run({ id: entry.id, method: entry.method, query: answer.query });
    const frames = answer.columns.epoch.length;
    const repeated = (values) => Array.from({ length: frames }, () => values);
    const rows = Object.fromEntries(Object.entries(answer.last).map(([name, values]) => [name, repeated(values)]));
    run.data = withArrays(answer.data);
    run.info = { status: "finished", outcome: "", epochs: answer.columns.epoch[frames - 1] };
    run.append(Object.assign({ index: Array.from({ length: frames }, (_, i) => i), changes: [] }, answer.columns, rows));
    return run;
  }

  const withArrays = (data) => Object.assign({}, data, { x: Float64Array.from(data.x), y: Float64Array.from(data.y) });

  async function load(entry) {
    if (entry.curve) return fromCurve(entry, await source.get("/api/paper/" + entry.id + ".json"));
    const run = new plateau.Run({ id: entry.id, method: entry.method });
    const [frames, data, info] = await Promise.all([
      source.frames(run.path("frames"), -1), source.get(run.path("data")), source.get(run.path()),
    ]);
    run.data = withArrays(data);
    run.info = info;
    run.append(frames.columns);
    return run;
  }

  function runOf(entry) {
    const key = entry.id + entry.curve;
    if (!runs.has(key)) runs.set(key, load(entry));
    return runs.get(key);
  }

  async function loadSpec() {
    const spec = await source.get("/api/panels?theme=" + themeName());
    style.spec = spec;
    style.inks = spec.inks;
  }

  function contextOf(picture) {
    const { settings } = picture;
    const selected = picture.runs.find((run) => run.method === settings.focus) || picture.runs[0];
    const window = settings.window;
    const view = Object.assign({ x: "epoch", window, edit: null, timeTitle: style.spec.times.epoch }, axes.timeAxis(picture.runs, "epoch"));
    view.key = [view.zero, view.range, window].join("|");
    const epoch = settings.moment === null ? Infinity : settings.moment;
    return {
      runs: picture.runs, selected, view, viewers: selected.id, epoch, frame: (run) => run.frameAt(epoch),
      touch: matchMedia("(pointer: coarse)").matches, mark: { neuron: null, datum: null, time: null },
    };
  }

  function paint(picture) {
    if (!picture.runs || !style.spec) return;
    const panel = style.spec.panels.find((one) => one.name === picture.settings.panel);
    const host = draw.hostOf(picture.name);
    draw.measure(host);
    draw.panel(Object.assign({}, panel, { name: picture.name }), contextOf(picture));
    if (host.drawn) picture.element.dataset.drawn = "1";
  }

  async function show(picture) {
    if (picture.asked) return;
    picture.asked = true;
    try {
      picture.runs = await Promise.all(picture.settings.runs.map(runOf));
      if (!style.spec) await specification;
      paint(picture);
    } catch (error) {
      picture.element.classList.remove("pl-loading");
      picture.element.textContent = "This picture could not be loaded. " + error.message;
      picture.asked = false;
    }
  }

  poll.answered = () => pictures.forEach(paint);

  const specification = loadSpec();

  const sight = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => show(entry.target.picture)),
    { rootMargin: "600px 0px" },
  );
  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => paint(entry.target.picture)));

  for (const element of document.querySelectorAll("[data-picture]")) {
    const picture = { element, name: element.id.replace(/^plot-/, ""), settings: JSON.parse(element.dataset.picture), asked: false };
    element.picture = picture;
    pictures.push(picture);
    sight.observe(element);
    sizes.observe(element);
  }

  new MutationObserver(async () => {
    await loadSpec();
    for (const run of await Promise.all(Array.from(runs.values()))) {
      run.cache.clear();
      run.extras.clear();
      run.shownState = null;
    }
    pictures.forEach(paint);
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });

  // A printed page needs all of them.
  addEventListener("beforeprint", () => pictures.forEach(show));

  plateau.paper = {
    pictures,
    showAll: () => Promise.all(pictures.map(show)),
    losses: () => Promise.all(Array.from(runs.values())).then((all) =>
      Object.fromEntries(all.map((run) => [run.id, run.value("loss", run.last)]))),
  };
})();
