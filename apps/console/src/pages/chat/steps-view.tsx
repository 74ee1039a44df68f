import { ApprovalCard } from '#pages/approvals/approval-card.tsx';
import type { Step } from '#pages/chat/step.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

const json = (value: unknown) => JSON.stringify(value, null, 1);

/** The steps of an agent so far. */
export function StepsView({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <ol className="steps" aria-label={t('chat.steps.title')}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end.
        <li key={index}>
          <StepView {...step} />
        </li>
      ))}
    </ol>
  );
}

function StepView({ kind, text, params, result, success, approval }: Step) {
  if (approval !== undefined) return <ApprovalCard approval={approval} />;
  if (kind !== 'call') return <span className="muted">{text}</span>;
  return (
    <details>
      <summary>
        {success === undefined ? (
          <span className="spinner step-spinner" role="img" aria-label={t('chat.steps.running')} />
        ) : (
          <span
            className={success ? 'step-good' : 'step-bad'}
            role="img"
            aria-label={t(success ? 'chat.steps.succeeded' : 'chat.steps.failed')}
          >
            <Icon name={success ? 'check' : 'cross'} />
          </span>
        )}{' '}
        <code>{text}</code>
      </summary>
      <pre className="step-data">{json(params)}</pre>
      {result === undefined ? null : <pre className="step-data">{json(result)}</pre>}
    </details>
  );
}
