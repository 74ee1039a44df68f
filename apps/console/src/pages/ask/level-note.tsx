import type { Level } from '#pages/ask/level.ts';
import { useRole } from '#session/session.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

const TEXTS = {
  high: { label: 'Supported', text: 'The cited passages support this answer.' },
  medium: { label: 'Partly supported', text: 'Check the cited passages before you rely on this answer.' },
  low: { label: 'Possible answer', text: 'The cited passages may not answer your question. Read them first.' },
  none: { label: 'No answer found', text: 'The documents that you can read do not answer this question.' },
} as const satisfies Record<Level, object>;

/** Explains how far the documents support an answer, and what to do if they do not. */
export function LevelNote({ level }: { readonly level: Level }) {
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
    </div>
  );
}
