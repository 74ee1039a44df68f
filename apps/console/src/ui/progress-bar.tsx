import * as Progress from '@radix-ui/react-progress';

/** A progress bar from 0 to 100. */
export function ProgressBar({ label, percent }: { readonly label: string; readonly percent: number }) {
  return (
    <Progress.Root className="progress" value={percent} aria-label={label}>
      <Progress.Indicator style={{ width: `${percent}%` }} />
    </Progress.Root>
  );
}
