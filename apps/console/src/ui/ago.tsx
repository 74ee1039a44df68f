import { agoText, momentText } from '#ui/time-text.ts';

/** A relative time with the exact time as tooltip. “never” for null. */
export function Ago({ time }: { readonly time: string | null }) {
  if (time === null) return <span className="muted">never</span>;
  return (
    <time dateTime={time} title={momentText(time)}>
      {agoText(time)}
    </time>
  );
}
