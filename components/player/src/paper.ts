/** The pictures of the Paper page: the Lab's own panels, drawn once each when they come into sight, from runs
 *  that the server ships. They need no player: a picture is a panel, some runs and a moment. */

import { timeAxis } from "./derive/times.ts";
import type { View } from "./derive/view.ts";
import { drawPanel } from "./draw/figure.ts";
import { Host } from "./draw/host.ts";
import type { ShownScene } from "./draw/scene.ts";
import { answerInquiries, backoff } from "./store/poll.ts";
import { type Data, type FrameColumns, Run, type RunInfo, withArrays } from "./store/run.ts";
import { SourceError, server } from "./store/source.ts";
import { Style } from "./store/style.ts";
import { copied } from "./view/clipboard.ts";

type Ends = [number, number] | null;
type Entry = { id: string; method: string; curve: boolean };
type Settings = { panel: string; runs: Entry[]; window: Ends; moment: number | null; focus: string; domain: Ends };
type Curve = { query: string; columns: Record<string, number[]>; last: Record<string, number[]>; data: Data };

class Picture {
  readonly host: Host;
  readonly settings: Settings;
  private readonly style: Style;
  private runs: Run[] | null = null;
  private asked = false;
  private failures = 0;

  constructor(element: HTMLElement, style: Style) {
    this.style = style;
    this.settings = JSON.parse(element.dataset.picture ?? "");
    this.host = new Host(element.id, element);
    this.host.furnish();
  }

  private scene(runs: Run[]): ShownScene {
    const { focus, window, moment, domain } = this.settings;
    const selected = runs.find((run) => run.method === focus) ?? runs[0];
    const axis = timeAxis(runs, "epoch");
    const key = [axis.zero, axis.range, window, domain].join("|");
    const view: View = {
      x: "epoch",
      window,
      domain,
      edit: null,
      timeTitle: this.style.spec!.times.epoch,
      runs,
      key,
      style: this.style,
      ...axis,
    };
    const epoch = moment ?? Infinity;
    const touch = matchMedia("(pointer: coarse)").matches;
    const mark = { neuron: null, datum: null, time: null, tables: [] };
    return { runs, selected, view, epoch, frame: (run) => run.frameAt(epoch), touch, mark };
  }

  paint(): void {
    const panel = this.style.panel(this.settings.panel);
    if (!this.runs || !panel) return;
    this.host.measure();
    drawPanel(this.host, panel, this.scene(this.runs));
    if (!this.host.drawn) return;
    const { element } = this.host;
    element.dataset.drawn = "1";
    element.dataset.losses = JSON.stringify(Object.fromEntries(this.runs.map((run) => [run.id, run.value("loss", run.last)])));
  }

  async show(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      this.runs = await Promise.all(this.settings.runs.map(runOf));
      this.paint();
    } catch (error) {
      this.host.element.classList.remove("pl-loading");
      this.host.sayEmpty(`This picture could not be loaded. ${(error as Error).message}`);
      this.asked = false;
      this.failures += 1;
      if (!(error instanceof SourceError && error.refused)) setTimeout(() => this.show(), backoff(this.failures));
    }
  }
}

const runs = new Map<string, Promise<Run>>();
let pictures: Picture[] = [];
const paintAll = (): void => {
  for (const picture of pictures) picture.paint();
};

/** A run of which only the curve ships: every frame carries the last network, and only the last one shows it. */
function fromCurve(run: Run, answer: Curve): void {
  const frames = answer.columns.epoch.length;
  const rows = Object.entries(answer.last).map(([name, values]) => [name, Array.from({ length: frames }, () => values)]);
  const index = Array.from({ length: frames }, (_, i) => i);
  run.data = withArrays(answer.data);
  run.info = { id: run.id, status: "finished", outcome: "", epochs: answer.columns.epoch[frames - 1] };
  run.append({ ...answer.columns, ...Object.fromEntries(rows), index, changes: [] } as FrameColumns);
}

async function load({ id, method, curve }: Entry): Promise<Run> {
  const run = new Run({ id, method });
  answerInquiries(server, run, paintAll);
  if (curve) {
    fromCurve(run, await server.get<Curve>(`/api/paper/${id}.json`));
    return run;
  }
  const [frames, data, info] = await Promise.all([
    server.frames(run.id, -1),
    server.get<Data>(run.path("data")),
    server.get<RunInfo>(run.path()),
  ]);
  Object.assign(run, { data: withArrays(data), info });
  run.append(frames.columns);
  while (run.count && run.count < frames.head) run.append((await server.frames(run.id, run.last)).columns);
  return run;
}

function runOf(entry: Entry): Promise<Run> {
  const key = entry.id + entry.curve;
  const known = runs.get(key);
  if (known) return known;
  const loading = load(entry);
  runs.set(key, loading);
  loading.catch(() => runs.delete(key));
  return loading;
}

async function copyBibtex(): Promise<void> {
  const area = document.querySelector<HTMLTextAreaElement>("#bibtex")!;
  document.querySelector("#bibtex-told")!.textContent = (await copied(area.value, area)) ? "Copied." : "Copy the marked text.";
}

export function startPaper(): void {
  document.querySelector("#copy-bibtex")?.addEventListener("click", copyBibtex);
  const elements = [...document.querySelectorAll<HTMLElement>("[data-picture]")];
  if (!elements.length) return;
  const style = new Style(server, "/api/paper/panels");
  const byElement = new Map(elements.map((element) => [element as Element, new Picture(element, style)]));
  pictures = [...byElement.values()];
  style.follow(async () => {
    for (const run of await Promise.allSettled(runs.values())) if (run.status === "fulfilled") run.value.forgetAll();
    paintAll();
  }, new AbortController().signal);
  style.load();
  const near = (entries: IntersectionObserverEntry[]): void => {
    for (const entry of entries) if (entry.isIntersecting) byElement.get(entry.target)?.show();
  };
  const sight = new IntersectionObserver(near, { rootMargin: "600px 0px" });
  const sizes = new ResizeObserver((entries) => {
    for (const entry of entries) byElement.get(entry.target)?.paint();
  });
  for (const element of elements) {
    sight.observe(element);
    sizes.observe(element);
  }
  // a printed page needs all of them
  addEventListener("beforeprint", () => {
    for (const picture of pictures) picture.show();
  });
}
