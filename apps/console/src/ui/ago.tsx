import { t } from '#texts/texts.ts';
import { agoText, dateTimeText } from '#ui/time-text.ts';

/** Shows a relative time with the exact time as a tooltip, or “never” for null. */
export function Ago({ time }: { readonly time: string | null }) {
  if (time === null) return <span className="muted">{t('ui.never')}</span>;
  return (
    <time dateTime={time} title={dateTimeText(time)}>
      {agoText(time)}
    </time>
  );
}
