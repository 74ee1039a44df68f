import type { Schemas } from '@lectern/sdk';
import { Prose } from '#pages/chat/prose.tsx';
import { t } from '#texts/texts.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

type Result = Schemas['TestResult'];

/** The result of a test case with its reply. */
export function ResultItem({ result }: { readonly result: Result }) {
  const { question, outcome, regression, failures, rank, answer_confidence: confidence, tookMs, content } = result;
  const details = [
    ...failures.map((failure) => t(`testCases.failures.${failure}`)),
    ...(rank === null ? [] : [t('testCases.rank', { rank })]),
    ...(confidence === null ? [] : [t(`testCases.confidence.${confidence.label}`)]),
    t('testCases.duration', { ms: tookMs }),
  ];
  return (
    <li className="card stack">
      <div className="row row-apart">
        <p className="grow">{question}</p>
        <div className="row">
          {regression ? <StatusBadge status="failed" label={t('testCases.regression')} /> : null}
          <StatusBadge status={outcome === 'passed' ? 'success' : outcome} label={t(`ui.statuses.${outcome}`)} />
        </div>
      </div>
      <p className="muted small">{result.error ?? details.join(' · ')}</p>
      {content === '' ? null : (
        <details>
          <summary>{t('testCases.replyText')}</summary>
          <Prose text={content} />
          {result.sources.length === 0 ? null : (
            <ol className="sources" aria-label={t('testCases.sources')}>
              {result.sources.map(({ id, title }) => (
                <li key={id}>{title}</li>
              ))}
            </ol>
          )}
        </details>
      )}
    </li>
  );
}
