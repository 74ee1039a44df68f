import { type FormEvent, useState } from 'react';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/field.tsx';

/** Sends a message to an agent, or stops the run. */
export function RunForm({
  label = t('agents.runs.start'),
  isRunning,
  isBusy = false,
  isBlocked = false,
  onRun,
  onStop,
}: {
  /** The label of the button. */
  readonly label?: string;
  readonly isRunning: boolean;
  readonly isBusy?: boolean;
  /** True if the agent cannot run yet. */
  readonly isBlocked?: boolean;
  /** The message stays in its field until the promise is fulfilled. */
  readonly onRun: (message: string) => void | Promise<void>;
  readonly onStop: () => void;
}) {
  const [message, setMessage] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    // The caller shows the error.
    void Promise.resolve(onRun(message)).then(
      () => setMessage(''),
      () => undefined,
    );
  }
  return (
    <form className="card stack" onSubmit={submit}>
      <TextArea label={t('agents.runs.message')} rows={2} value={message} onChange={setMessage} maxLength={32_000} />
      <div className="row row-end">
        {isRunning ? (
          <Button onClick={onStop}>{t('agents.runs.stop')}</Button>
        ) : (
          <Button type="submit" isPrimary isBusy={isBusy} disabled={isBlocked || message.trim() === ''}>
            {label}
          </Button>
        )}
      </div>
    </form>
  );
}
