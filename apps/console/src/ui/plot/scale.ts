import { language } from '#texts/texts.ts';

const STEPS = [1, 2, 5, 10];

/** Returns the ticks of an axis from 0 to at least `max`: round numbers in about `ticks` steps. */
export function roundTicks(max: number, ticks = 4): readonly number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / ticks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((candidate) => candidate * power >= rough) ?? 10) * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const compact = new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a number for an axis: `1.2K`. */
export function compactNumber(value: number): string {
  return compact.format(value);
}

/** Returns the indexes of at most `max` of `count` labels, evenly spaced. */
export function labeledIndexes(count: number, max: number): readonly number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, max)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0);
}
