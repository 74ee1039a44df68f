import type { Schemas } from '@lectern/sdk';
import { Prose } from '#pages/chat/prose.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

type Result = Schemas['TestResult'];

const FAILURES: Readonly<Record<Schemas['TestFailure'], string>> = {
  refused: 'states that there is no answer',
  answered: 'answers, but should not',
  not_retrieved: 'no expected document was found',
  not_cited: 'cites no expected document',
  text_missing: 'an expected text is missing',
};

/** The result of a test case with its reply. */
export function ResultItem({ result }: { readonly result: Result }) {
  const { question, outcome, regression, failures, rank, answer_confidence: confidence, tookMs, content } = result;
  const details = [
    ...failures.map((failure) => FAILURES[failure]),
    ...(rank === null ? [] : [`document found at rank ${rank}`]),
    ...(confidence === null ? [] : [`${confidence.label} confidence`]),
    `${tookMs.toLocaleString('en')} ms`,
  ];
  return (
    <li className="card stack">
      <div className="row row-apart">
        <p className="grow">{question}</p>
        <div className="row">
          {regression ? <StatusBadge status="failed" label="regression" /> : null}
          <StatusBadge status={outcome === 'passed' ? 'success' : outcome} label={outcome} />
        </div>
      </div>
      <p className="muted small">{result.error ?? details.join(' · ')}</p>
      {content === '' ? null : (
        <details>
          <summary>Reply</summary>
          <Prose text={content} />
          {result.sources.length === 0 ? null : (
            <ol className="sources" aria-label="Sources">
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
