/** What is taken away: files of the runs, the losses of a race, pictures of the panels. */

import { described } from "../draw/described.ts";
import { PICTURE_SIZES, type PictureSize } from "../draw/picture.ts";
import { lossRows } from "../store/losses.ts";
import { inTurn } from "../store/source.ts";
import { openDialog, toast } from "./float.ts";
import { on, one, page, player } from "./page.ts";
import { titleOf } from "./panel_order.ts";
import { sharedAddress } from "./share.ts";

/** What takes longer than this, in milliseconds, says what it does. */
const SILENT = 300;
let pictured = "";

/** What files are called by: the file that was learned, without its ending, as in core/service/export.py. */
function stem(): string {
  const titles = new Set(player.runs.map((run) => run.data?.title ?? ""));
  const [title] = titles.size === 1 ? titles : [""];
  const name = title.replace(/\.\w{1,4}$/, "").replace(/[^A-Za-z0-9_-]+/g, "-");
  return name.replace(/^-+|-+$/g, "").slice(0, 40) || "plateau";
}

function save(href: string, download: string): void {
  Object.assign(document.createElement("a"), { href, download }).click();
}

function saveBlob(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  save(href, name);
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

async function refusal(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { error: string }).error;
  } catch {
    return `The server answered ${response.status}.`;
  }
}

/** Fetch a file, however long it takes to make, and save it. */
export async function download(href: string): Promise<void> {
  const saying = setTimeout(() => toast("Preparing the file…", true), SILENT);
  try {
    const response = await inTurn(href);
    if (response.status === 202) return toast("The server had no time to make this file. Try again later.");
    if (!response.ok) return toast(await refusal(response));
    const blob = await response.blob();
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "plateau";
    saveBlob(blob, name);
    toast(`Saved ${name}`);
  } catch {
    toast("The file could not be fetched: the server does not answer.");
  } finally {
    clearTimeout(saying);
  }
}

/** The losses of all runs on screen as a small table: one row per epoch, one column per run. */
export function saveLosses(): void {
  const runs = player.runs.filter((run) => run.count);
  const rows = lossRows(
    runs.map((run) => player.style.look(run).title),
    runs.map(({ column, last }) => ({ epoch: column.epoch.subarray(0, last + 1), loss: column.loss.subarray(0, last + 1) })),
  );
  saveBlob(new Blob([rows], { type: "text/csv" }), `${stem()}-losses.csv`);
}

/** Ask in which size and format a panel is to be saved. */
export function askPicture(name: string): void {
  pictured = name;
  openDialog("#picture-dialog");
}

/** The browser itself writes a PDF, with real type and lines: its print dialog, with this picture as the only page. */
async function print(href: string, { width, height }: PictureSize): Promise<void> {
  const picture = Object.assign(new Image(), { src: href, id: "print-picture", alt: "" });
  const rules = document.createElement("style");
  rules.textContent = `@page { size: ${width}px ${height}px; margin: 0; }
    @media print { body > :not(#print-picture) { display: none !important; } #print-picture { width: ${width}px; height: ${height}px; } }`;
  document.head.append(rules);
  document.body.append(picture);
  await picture.decode();
  addEventListener(
    "afterprint",
    () => {
      picture.remove();
      rules.remove();
    },
    { once: true },
  );
  window.print();
}

async function savePicture(kind: "svg" | "png" | "pdf"): Promise<void> {
  one<HTMLDialogElement>("#picture-dialog").close();
  const chosen = one<HTMLSelectElement>("#picture-size").value;
  try {
    const about = `${titleOf(pictured)}. ${sharedAddress()} ${page.spec.cite}`;
    const size = PICTURE_SIZES[chosen];
    const href = described(await player.image(pictured, kind === "png" ? "png" : "svg", size), about);
    if (kind === "pdf") await print(href, size ?? (one(`#plot-${pictured}`).getBoundingClientRect() as unknown as PictureSize));
    else save(href, `${stem()}-${pictured}.${kind}`);
  } catch (error) {
    toast(`The picture could not be made: ${(error as Error).message}.`);
  }
}

export function startFiles(): void {
  for (const kind of ["svg", "png", "pdf"] as const) on(`#picture-${kind}`, "click", () => savePicture(kind));
}
