/** How numbers are written. The rules are those of core.narrative and of links; the fixtures in test/
 *  are written by them, so that neither side can change alone. */

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NEGLIGIBLE = 1e-5;
const FAR = 10;
const raised = (power: number): string => Array.from(String(power), (sign) => (sign === "-" ? "⁻" : SUPERSCRIPT[Number(sign)])).join("");

/** Mantissa and exponent to so many digits; an exact tie goes to the even digit, as in Python. */
function rounded(size: number, digits: number): [string, number] {
  let [mantissa, exponent] = size.toExponential(digits - 1).split("e");
  const exact = size.toExponential(60).split("e")[0].replace(".", "");
  if (/^50*$/.test(exact.slice(digits)) && Number(exact[digits - 1]) % 2 === 0) {
    mantissa = digits > 1 ? `${exact[0]}.${exact.slice(1, digits)}` : exact[0];
    exponent = size.toExponential(60).split("e")[1];
  }
  return [mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa, Number(exponent)];
}

/** So many significant digits; 2.71·10⁻⁴ style below 0.001 and from 10,000 on. */
export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const [mantissa, power] = rounded(Math.abs(value), digits);
  if (power >= -3 && power < 4) return sign + String(Number(`${mantissa}e${power}`));
  return `${sign}${mantissa === "1" ? "" : `${mantissa}·`}10${raised(power)}`;
}

/** Two numbers with so many digits that they can be told apart. */
export function compared(one: number, two: number): [string, string] {
  let digits = 3;
  while (digits < 9 && one !== two && number(one, digits) === number(two, digits)) digits += 1;
  return [number(one, digits), number(two, digits)];
}

/** A number of epochs: whole and in full up to a million. */
export const count = (epochs: number): string =>
  epochs < 1e6 && Number.isInteger(epochs) ? epochs.toLocaleString("en-US") : number(epochs);

/** A number of epochs to the last digit, for what is compared: the one at whose end it has happened. */
export const exact = (epochs: number): string => Math.ceil(epochs).toLocaleString("en-US");

export const powerLabel = (power: number): string => (power === 0 ? "1" : power === 1 ? "10" : `10${raised(power)}`);

/** How far the loss is above its floor: in per cent, or "far"; as it is where the floor is 0. */
export function excess(loss: number, floor: number): string {
  const above = loss - floor;
  if (floor > 0 && above <= NEGLIGIBLE * floor) return "less than 0.001 %";
  if (floor > 0) return above <= FAR * floor ? `${number((100 * above) / floor, 2)} %` : "far";
  return number(Math.max(above, 0));
}

/** Put a moment's numbers in the template of a stage or a plateau. */
export const fill = (template: string, loss: number, floor: number): string =>
  template.replaceAll("{loss}", number(loss)).replaceAll("{floor}", number(floor)).replaceAll("{excess}", excess(loss, floor));

/** The spelling of a number in a link: shortest digits, powers of ten where they save two characters. */
export function spelled(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const [mantissa, exponentText] = Math.abs(value).toExponential().split("e");
  const exponent = Number(exponentText);
  const digits = mantissa.replace(".", "");
  let plain: string;
  if (exponent < 0) plain = `0.${"0".repeat(-exponent - 1)}${digits}`;
  else if (digits.length <= exponent + 1) plain = digits.padEnd(exponent + 1, "0");
  else plain = `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
  const power = `${mantissa}e${exponent}`;
  return (value < 0 ? "-" : "") + (power.length <= plain.length - 2 ? power : plain);
}

/** The moment in a link: seven digits tell any two frames apart. */
export const momentText = (epoch: number): string => spelled(Number(epoch.toPrecision(7)));

export const seconds = (value: number): string =>
  value < 1
    ? "less than 1 s"
    : value < 90
      ? `about ${Math.round(value)} s`
      : value < 5400
        ? `about ${Math.round(value / 60)} min`
        : `about ${(value / 3600).toFixed(1)} h`;

/** Below so many seconds nobody counts them. */
const FEW = 5;
/** Below so many seconds the near end of a range is not said: it would jump between 1 and 3. */
const LEAST = 2;

/** A duration between two ends, in the words of components/pages/study/content.py. */
export function secondsBetween([low, high]: readonly [number, number]): string {
  if (high < FEW) return "a few seconds";
  const [first, last] = [seconds(low), seconds(high)];
  if (first === last) return last;
  if (low < LEAST) return `up to ${last.replace("about ", "")}`;
  const unit = last.slice(last.lastIndexOf(" "));
  return `${first.endsWith(unit) ? first.slice(0, -unit.length) : first} to ${last.replace("about ", "")}`;
}

export const rate = (value: number): string =>
  value >= 1e6
    ? `${(value / 1e6).toPrecision(2)} M`
    : value >= 1e3
      ? `${Math.round(value / 1e3)} k`
      : value >= 10
        ? String(Math.round(value))
        : value.toPrecision(2);

/** A sentence of the server with its numbers written as everywhere else. */
export const prose = (text: string): string => text.replace(/\d+(\.\d+)?e[+-]?\d+/g, (written) => number(Number(written)));
