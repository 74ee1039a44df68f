const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes: `1.2 MB`. Returns an empty string for null. */
export function sizeText(sizeBytes: number | null): string {
  if (sizeBytes === null) return '';
  const power = sizeBytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(sizeBytes) / 3));
  const value = sizeBytes / 1_000 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`;
}
