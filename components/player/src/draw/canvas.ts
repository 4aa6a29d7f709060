/** Draws the traces that change with every moment straight onto a canvas over the plot, in the styles
 *  that the figure declares. Plotly takes 20 ms for what has to happen thirty times a second. */

import type { Trace } from "../store/template.ts";
import type { Host } from "./host.ts";

type Scale = (value: number) => number;
type Pen = CanvasRenderingContext2D;

const dashOf = (dash: string | undefined): number[] => (!dash || dash === "solid" ? [] : dash.split(",").map(parseFloat));
const at = <Value>(value: Value | Value[], i: number): Value => (Array.isArray(value) ? value[i] : value);

const SYMBOLS: Record<string, (pen: Pen, x: number, y: number, r: number) => void> = {
  circle: (pen, x, y, r) => pen.arc(x, y, r, 0, 2 * Math.PI),
  square: (pen, x, y, r) => pen.rect(x - r, y - r, 2 * r, 2 * r),
  diamond: (pen, x, y, r) => {
    const reach = 1.3 * r;
    pen.moveTo(x, y - reach);
    pen.lineTo(x + reach, y);
    pen.lineTo(x, y + reach);
    pen.lineTo(x - reach, y);
    pen.closePath();
  },
  bowtie: (pen, x, y, r) => {
    pen.moveTo(x - r, y - r);
    pen.lineTo(x - r, y + r);
    pen.lineTo(x + r, y - r);
    pen.lineTo(x + r, y + r);
    pen.closePath();
  },
  "x-thin": (pen, x, y, r) => {
    const reach = 0.8 * r;
    pen.moveTo(x - reach, y - reach);
    pen.lineTo(x + reach, y + reach);
    pen.moveTo(x - reach, y + reach);
    pen.lineTo(x + reach, y - reach);
  },
};

function drawLines(pen: Pen, trace: Trace, x: Scale, y: Scale): void {
  const line = trace.line ?? {};
  pen.strokeStyle = line.color ?? "";
  pen.lineWidth = line.width ?? 2;
  pen.setLineDash(dashOf(line.dash));
  pen.lineJoin = "round";
  pen.lineCap = line.cap ?? "butt";
  pen.beginPath();
  let open = false;
  for (let i = 0; i < trace.x!.length; i++) {
    const [px, py] = [x(trace.x![i]), y(trace.y![i])];
    if (!Number.isFinite(px) || !Number.isFinite(py)) open = false;
    else if (open) pen.lineTo(px, py);
    else {
      pen.moveTo(px, py);
      open = true;
    }
  }
  pen.stroke();
  pen.setLineDash([]);
}

function drawMarkers(pen: Pen, trace: Trace, x: Scale, y: Scale): void {
  const { symbol = "circle", size = 6, color = "", line = {} } = trace.marker ?? {};
  const hollow = symbol.endsWith("-open");
  const shape = SYMBOLS[symbol.replace("-open", "")];
  for (let i = 0; i < trace.x!.length; i++) {
    const [px, py] = [x(trace.x![i]), y(trace.y![i])];
    if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
    pen.beginPath();
    shape(pen, px, py, at(size, i) / 2);
    if (!hollow) {
      pen.fillStyle = at(color, i);
      pen.fill();
    }
    if (!line.width) continue;
    pen.lineWidth = line.width;
    pen.strokeStyle = hollow ? at(color, i) : at(line.color ?? "", i);
    pen.stroke();
  }
}

function drawText(pen: Pen, trace: Trace, x: Scale, y: Scale, family: string): void {
  pen.font = `${trace.textfont?.size ?? 12}px ${family}`;
  pen.fillStyle = trace.textfont?.color ?? "";
  pen.textBaseline = "middle";
  trace.text?.forEach((text, i) => {
    if (!text) return;
    pen.textAlign = String(at(trace.textposition ?? "", i)).endsWith("left") ? "right" : "left";
    pen.fillText(text, x(trace.x![i]), y(trace.y![i]));
  });
}

/** The pen of the panel's canvas, cleared; the canvas is made when there is something to draw. */
function cleared(host: Host): Pen | null {
  if (!host.board) {
    if (!host.live.length) return null;
    host.board = document.createElement("canvas");
    host.board.className = "pl-board";
    host.layer?.svg.before(host.board);
  }
  const { board, size } = host;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (board.width !== width || board.height !== height) Object.assign(board, { width, height });
  const pen = board.getContext("2d")!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  return pen;
}

/** All direct traces of a panel, clipped to its plot area. */
export function paintLive(host: Host): void {
  const pen = cleared(host);
  const full = host.plot?._fullLayout;
  if (!pen || !full?.xaxis || !full.yaxis || host.bare) return;
  const { xaxis, yaxis } = full;
  pen.save();
  pen.beginPath();
  pen.rect(xaxis._offset, yaxis._offset, xaxis._length, yaxis._length);
  pen.clip();
  for (const trace of host.live) {
    // the second axes of a panel are hidden and count from 0 to 1 over the plot area
    const x: Scale = trace.xaxis === "x2" ? (share) => xaxis._offset + share * xaxis._length : (value) => xaxis._offset + xaxis.d2p(value);
    const y: Scale =
      trace.yaxis === "y2" ? (share) => yaxis._offset + (1 - share) * yaxis._length : (value) => yaxis._offset + yaxis.d2p(value);
    const mode = trace.mode ?? "";
    pen.globalAlpha = trace.opacity ?? 1;
    if (mode.includes("lines")) drawLines(pen, trace, x, y);
    if (mode.includes("markers")) drawMarkers(pen, trace, x, y);
    if (mode.includes("text")) drawText(pen, trace, x, y, full.font.family);
  }
  pen.restore();
}
