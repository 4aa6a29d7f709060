/** Places in ascending numbers. */

export type Vector = ArrayLike<number>;

/** How many of the first `count` numbers are below a value, or below or equal to it. */
function places(sorted: Vector, value: number, count: number, withEqual: boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value || (withEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const lowerBound = (sorted: Vector, value: number): number => places(sorted, value, sorted.length, false);
export const upperBound = (sorted: Vector, value: number, count = sorted.length): number => places(sorted, value, count, true);

/** Place of the value nearest to a wanted one. */
export function nearest(sorted: Vector, wanted: number): number {
  const at = lowerBound(sorted, wanted);
  if (at <= 0) return 0;
  if (at >= sorted.length) return sorted.length - 1;
  return wanted - sorted[at - 1] <= sorted[at] - wanted ? at - 1 : at;
}
