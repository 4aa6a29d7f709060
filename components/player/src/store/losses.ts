/** The losses of several runs side by side, as CSV. */

type History = { epoch: ArrayLike<number>; loss: ArrayLike<number> };

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** One row per epoch at which every run that goes so far was recorded, or at which one of them ends; one column per run. */
export function lossRows(titles: string[], runs: History[]): string {
  const losses = runs.map(({ epoch, loss }) => new Map(Array.from(epoch, (value, i) => [value, loss[i]] as const)));
  const ends = runs.map(({ epoch }) => epoch[epoch.length - 1] ?? -1);
  const epochs = [...new Set(runs.flatMap(({ epoch }) => Array.from(epoch)))].toSorted((a, b) => a - b);
  const shared = epochs.filter((epoch) => ends.includes(epoch) || runs.every((_, i) => epoch > ends[i] || losses[i].has(epoch)));
  const rows = shared.map((epoch) => [epoch, ...losses.map((known) => known.get(epoch) ?? "")].join());
  return `${[["epoch", ...titles.map(quoted)].join(), ...rows].join("\n")}\n`;
}
