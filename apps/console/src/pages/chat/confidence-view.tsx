import type { Confidence } from '#api/types.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const SIGNALS = [
  { name: 'coverageRatio', label: 'Backed by sources (50 %)' },
  { name: 'shapeConfidence', label: 'Question understood (20 %)' },
  { name: 'coverageCompleteness', label: 'All groups of sources used (15 %)' },
  { name: 'violationFree', label: 'Passed every check (15 %)' },
] as const;

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** How sure an answer is, and the four signals that this comes from, with their weights. */
export function ConfidenceView({ confidence: { score, label, signals } }: { readonly confidence: Confidence }) {
  return (
    <details>
      <summary>
        <StatusBadge status={label} label={`${label} confidence · ${percent(score)}`} />
      </summary>
      {signals === undefined ? null : (
        <div className="signals small">
          {SIGNALS.map(({ name, label: text }) => (
            <Signal key={name} label={text} value={signals[name]} />
          ))}
        </div>
      )}
    </details>
  );
}

function Signal({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <>
      <span>{label}</span>
      <ProgressBar label={label} percent={Math.round(value * 100)} />
      <span className="number">{percent(value)}</span>
    </>
  );
}
