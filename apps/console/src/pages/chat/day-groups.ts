import { language, t } from '#texts/texts.ts';

interface Dated {
  readonly updatedAt: string;
}

const WITH_YEAR = new Intl.DateTimeFormat(language(), {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const THIS_YEAR = new Intl.DateTimeFormat(language(), { weekday: 'long', day: 'numeric', month: 'long' });

function dayText(date: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return t('chat.today');
  if (date.toDateString() === yesterday.toDateString()) return t('chat.yesterday');
  return (date.getFullYear() === now.getFullYear() ? THIS_YEAR : WITH_YEAR).format(date);
}

/** Groups items, which are sorted by time, by the day in the reader's time zone. */
export function groupByDay<T extends Dated>(
  items: readonly T[],
  now = new Date(),
): readonly { readonly day: string; readonly items: readonly T[] }[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const day = dayText(new Date(item.updatedAt), now);
    groups.set(day, [...(groups.get(day) ?? []), item]);
  }
  return [...groups].map(([day, inDay]) => ({ day, items: inDay }));
}
