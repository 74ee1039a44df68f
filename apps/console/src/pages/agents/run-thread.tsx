import { useState } from 'react';
import { RunNumbers } from '#pages/agents/run-numbers.tsx';
import type { RunState } from '#pages/agents/use-run.ts';
import { ApprovalCard } from '#pages/approvals/approval-card.tsx';
import { Answer } from '#pages/chat/answer.tsx';
import { FoldedSteps } from '#pages/chat/folded-steps.tsx';
import { approvalsOf } from '#pages/chat/step.ts';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { t } from '#texts/texts.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** Runs of an agent in one conversation, the newest with its progress. */
export function RunThread({
  startMessage,
  runs,
  isRunning,
  error,
  hasFoldedSteps = false,
}: {
  readonly startMessage: string | null;
  readonly runs: readonly RunState[];
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  /** Shows the steps of each run behind one line. */
  readonly hasFoldedSteps?: boolean;
}) {
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      <div className="thread" aria-live="polite" aria-busy={isRunning}>
        {startMessage ? <p className="muted">{startMessage}</p> : null}
        {runs.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs are only added at the end.
          <div key={index} className="message-assistant">
            <p className="message-user">{state.message}</p>
            {hasFoldedSteps ? (
              <>
                <FoldedSteps steps={state.reply.steps} isDone={!isRunning || index < runs.length - 1} />
                {approvalsOf(state.reply).map((approval) => (
                  <ApprovalCard key={approval.id} approval={approval} />
                ))}
              </>
            ) : (
              <StepsView steps={state.reply.steps} />
            )}
            {state.reply.content === '' ? null : <Answer reply={state.reply} onOpen={setOpened} />}
            <RunNumbers model={state.model} usage={state.reply.usage} tookMs={state.tookMs} />
            {state.status !== undefined && state.status !== 'completed' ? (
              <p>
                <StatusBadge status={state.status} />
              </p>
            ) : null}
          </div>
        ))}
        {isRunning ? <Loading what={t('agents.what.nextStep')} /> : null}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
