import { type FormEvent, useState } from 'react';
import type { AgentRecord } from '#api/types.ts';
import { useRun } from '#pages/agents/use-run.ts';
import { WaitingRuns } from '#pages/approvals/waiting-runs.tsx';
import { Answer } from '#pages/chat/answer.tsx';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { plural } from '#ui/plural.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

/** Runs an agent and shows its steps live. */
export function RunPanel({ agent }: { readonly agent: AgentRecord }) {
  const [message, setMessage] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const { runs, isRunning, error, run, stop } = useRun(agent.id);
  function submit(event: FormEvent) {
    event.preventDefault();
    run(message);
    setMessage('');
  }
  return (
    <div className="stack">
      <WaitingRuns agentId={agent.id} shown={runs.map(({ reply }) => reply.id)} />
      <div className="thread" aria-live="polite" aria-busy={isRunning}>
        {agent.startMessage ? <p className="muted">{agent.startMessage}</p> : null}
        {runs.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs are only added at the end.
          <div key={index} className="message-assistant">
            <p className="message-user">{state.message}</p>
            <StepsView steps={state.reply.steps} />
            {state.reply.content === '' ? null : <Answer reply={state.reply} onOpen={setOpened} />}
            {state.reply.usage === undefined ? null : (
              <p className="muted small">{plural(state.reply.usage.totalTokens, 'token')}</p>
            )}
            {state.status !== undefined && state.status !== 'completed' ? (
              <p>
                <StatusBadge status={state.status} />
              </p>
            ) : null}
          </div>
        ))}
        {isRunning ? <Loading what="the next step" /> : null}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
      <form className="card stack" onSubmit={submit}>
        <TextArea label="Message" rows={2} value={message} onChange={setMessage} maxLength={32_000} />
        <div className="row row-end">
          {isRunning ? (
            <Button onClick={stop}>Stop</Button>
          ) : (
            <Button type="submit" isPrimary disabled={message.trim() === ''}>
              Run
            </Button>
          )}
        </div>
      </form>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}
