import { t } from '#texts/texts.ts';

const INTERVALS = [
  { value: '0', label: t('connectors.intervals.manual') },
  { value: '15', label: t('connectors.intervals.quarterHour') },
  { value: '60', label: t('connectors.intervals.hour') },
  { value: '360', label: t('connectors.intervals.sixHours') },
  { value: '1440', label: t('connectors.intervals.day') },
  { value: '10080', label: t('connectors.intervals.week') },
] as const;

/** The choices of an interval in minutes, with the present one if it is another. */
export function intervalChoices(minutes: string): readonly { readonly value: string; readonly label: string }[] {
  if (minutes === '' || INTERVALS.some(({ value }) => value === minutes)) return INTERVALS;
  return [...INTERVALS, { value: minutes, label: t('connectors.intervals.minutes', { count: Number(minutes) }) }];
}
