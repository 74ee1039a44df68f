import * as Progress from '@radix-ui/react-progress';

/** How far something is, of 100. */
export function ProgressBar({ label, percent }: { readonly label: string; readonly percent: number }) {
  return (
    <Progress.Root className="progress" value={percent} aria-label={label}>
      <Progress.Indicator style={{ width: `${percent}%` }} />
    </Progress.Root>
  );
}
