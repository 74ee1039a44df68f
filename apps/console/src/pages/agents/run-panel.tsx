import { type FormEvent, useState } from 'react';
import type { AgentRecord } from '#api/types.ts';
import { StepsView } from '#pages/agents/steps-view.tsx';
import { useRun } from '#pages/agents/use-run.ts';
import { Prose } from '#pages/chat/prose.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** Runs of an agent, with their steps while they happen. */
export function RunPanel({ agent }: { readonly agent: AgentRecord }) {
  const [message, setMessage] = useState('');
  const { runs, isRunning, error, run, stop } = useRun(agent.id);
  function submit(event: FormEvent) {
    event.preventDefault();
    run(message);
    setMessage('');
  }
  return (
    <div className="stack">
      <div className="thread thread-short" aria-live="polite" aria-busy={isRunning}>
        {agent.startMessage ? <p className="muted">{agent.startMessage}</p> : null}
        {runs.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs are only added at the end.
          <article key={index} className="message-assistant" aria-label="Run">
            <p className="message-user">{state.message}</p>
            <StepsView steps={state.steps} />
            <Prose text={state.content} sourceCount={0} onCite={() => undefined} />
            {state.usage ? (
              <p className="muted small row">
                {state.status && state.status !== 'completed' ? <StatusBadge status={state.status} /> : null}
                {state.usage.totalTokens.toLocaleString()} tokens
              </p>
            ) : null}
          </article>
        ))}
        {isRunning ? <Loading what="the next step" /> : null}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
      <form className="composer" onSubmit={submit}>
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
    </div>
  );
}
