import type { Confidence } from '#api/types.ts';
import type { Level } from '#pages/chat/level.ts';
import { useRole } from '#session/session.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const TEXTS = {
  high: { label: 'Supported', text: 'The cited passages support this answer.' },
  medium: { label: 'Partly supported', text: 'Check the cited passages before you rely on this answer.' },
  low: { label: 'Possible answer', text: 'The cited passages may not answer your question. Read them first.' },
  none: { label: 'No answer found', text: 'The documents that you can read do not answer this question.' },
} as const satisfies Record<Level, object>;

const SIGNALS = [
  { name: 'coverageRatio', label: 'The answer uses the passages that were found', weight: 50 },
  { name: 'shapeConfidence', label: 'The kind of question is clear', weight: 20 },
  { name: 'coverageCompleteness', label: 'The answer uses all groups of passages', weight: 15 },
  { name: 'violationFree', label: 'The answer passed the quality checks', weight: 15 },
] as const;

const percent = (value: number) => Math.round(value * 100);

/** Explains how far the documents support an answer, and what to do if they do not. */
export function LevelNote({
  level,
  confidence,
}: {
  readonly level: Level;
  readonly confidence: Confidence | undefined;
}) {
  const canAdd = useRole('editor');
  const { label, text } = TEXTS[level];
  return (
    <div className="level small">
      <p>
        <StatusBadge status={level === 'none' ? 'low' : level === 'low' ? 'medium' : level} label={label} /> {text}
      </p>
      {level === 'none' ? (
        <ul>
          <li>Use other words, or name the document, product or place that you mean.</li>
          <li>Ask about one thing at a time.</li>
          <li>
            {canAdd
              ? 'If a document is missing, add it under Collections or Connectors.'
              : 'If a document is missing, ask an editor of your team to add it or to share it with you.'}
          </li>
        </ul>
      ) : null}
      {confidence?.signals !== undefined ? <Reasons {...confidence} signals={confidence.signals} /> : null}
    </div>
  );
}

/** The score of an answer with its parts. */
function Reasons({ score, signals }: { readonly score: number; readonly signals: NonNullable<Confidence['signals']> }) {
  return (
    <details>
      <summary>How this was assessed</summary>
      <p>
        This answer has {percent(score)} of 100 points. From 75 points it counts as supported, from 45 as partly
        supported.
      </p>
      <dl className="signals">
        {SIGNALS.map(({ name, label, weight }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <ProgressBar label={label} percent={percent(signals[name])} />
              <span className="number">
                {Math.round(signals[name] * weight)} of {weight}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
