import { language, t } from '#texts/texts.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes: `1.2 MB`. Returns an empty string for null. */
export function sizeText(sizeBytes: number | null): string {
  if (sizeBytes === null) return '';
  if (sizeBytes < 1_000) return t('ui.bytes', { count: sizeBytes });
  const power = Math.min(UNITS.length, Math.floor(Math.log10(sizeBytes) / 3));
  const value = sizeBytes / 1_000 ** power;
  const digits = value < 10 ? 1 : 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return `${value.toLocaleString(language(), format)} ${UNITS[power - 1]}`;
}
