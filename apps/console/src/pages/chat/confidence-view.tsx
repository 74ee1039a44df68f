import type { Confidence } from '#api/types.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const SIGNALS = [
  { name: 'coverageRatio', label: 'Supported by sources (50%)' },
  { name: 'shapeConfidence', label: 'Question understood (20%)' },
  { name: 'coverageCompleteness', label: 'Coverage of the sources (15%)' },
  { name: 'violationFree', label: 'Passed all checks (15%)' },
] as const;

const percent = (value: number) => `${Math.round(value * 100)}%`;

/** The confidence of an answer with its four signals and their weights. */
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
