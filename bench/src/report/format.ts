const MIB = 1024 * 1024;

/** Formats milliseconds with significant digits only. */
export function ms(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toFixed(value < 100 ? 1 : 0);
}

/** Formats milliseconds as seconds. */
export function seconds(valueMs: number): string {
  return (valueMs / 1000).toFixed(1);
}

/** Formats a rate per second. */
export function rate(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

/** Formats a quantity as a multiple of another. */
export function times(value: number, of: number): string {
  return Number.isFinite(value / of) ? `${(value / of).toFixed(2)}×` : '–';
}

/** Formats bytes as MiB; a dash if unknown. */
export function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : String(Math.round(bytes / MIB));
}

/** Formats a share from 0 to 1, or a dash. */
export function share(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(3);
}
