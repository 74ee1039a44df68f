import { type ReactNode, useEffect } from 'react';
import type { AgentValues } from '#pages/agents/agent-values.ts';
import { RunForm } from '#pages/agents/run-form.tsx';
import { RunThread } from '#pages/agents/run-thread.tsx';
import { useRun } from '#pages/agents/use-run.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';

/** A frame next to the form. */
function Frame({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className="card stack preview" aria-labelledby="preview">
      <div className="row">
        <h2 id="preview" className="grow">
          {t('agents.preview.title')}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

const greetingOf = (values: AgentValues) => values.startMessage || null;

/** Runs an agent with the settings in its form, whether they are saved or not. */
export function Preview({
  agentId,
  values,
  isIncomplete,
  firstMessage,
  onSent,
}: {
  readonly agentId: string;
  readonly values: AgentValues;
  readonly isIncomplete: boolean;
  /** Sent at once. */
  readonly firstMessage: string | undefined;
  readonly onSent: () => void;
}) {
  const { runs, isRunning, error, run, stop, startOver } = useRun(agentId, {
    systemPrompt: values.systemPrompt,
    tools: [...values.tools],
    collections: [...values.collections],
    memory: values.memory,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message.
  useEffect(() => {
    if (firstMessage === undefined) return;
    // In development, React runs each effect twice.
    const timer = setTimeout(() => {
      run(firstMessage);
      onSent();
    });
    return () => clearTimeout(timer);
  }, [firstMessage]);
  return (
    <Frame
      actions={
        runs.length > 0 && !isRunning ? <Button onClick={startOver}>{t('agents.preview.startOver')}</Button> : null
      }
    >
      <p className="muted small">{t('agents.preview.hint')}</p>
      <RunThread startMessage={greetingOf(values)} runs={runs} isRunning={isRunning} error={error} hasFoldedSteps />
      {isIncomplete ? <p className="muted small">{t('agents.preview.incomplete')}</p> : null}
      <RunForm isRunning={isRunning} isBlocked={isIncomplete} onRun={run} onStop={stop} />
    </Frame>
  );
}

/** The preview of an agent that does not exist yet. The first message creates it. */
export function NewAgentPreview({
  values,
  isIncomplete,
  isBusy,
  onRun,
}: {
  readonly values: AgentValues;
  readonly isIncomplete: boolean;
  readonly isBusy: boolean;
  readonly onRun: (message: string) => Promise<void>;
}) {
  return (
    <Frame>
      <p className="muted small">{t('agents.preview.newHint')}</p>
      <RunThread startMessage={greetingOf(values)} runs={[]} isRunning={false} error={undefined} />
      {isIncomplete ? <p className="muted small">{t('agents.preview.newIncomplete')}</p> : null}
      <RunForm
        label={t('agents.preview.createAndRun')}
        isRunning={false}
        isBusy={isBusy}
        isBlocked={isIncomplete}
        onRun={onRun}
        onStop={() => undefined}
      />
    </Frame>
  );
}
