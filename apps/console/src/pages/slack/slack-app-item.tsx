import { lectern } from '#api/lectern.ts';
import type { SlackApp } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

function stateOf({ isEnabled, status, transport, isConnected }: SlackApp) {
  if (!isEnabled) return { status: 'paused', label: t('slack.stopped') };
  if (status === 'failed' || transport === 'http') return { status };
  return isConnected
    ? { status: 'active', label: t('slack.connected') }
    : { status: 'pending', label: t('slack.connecting') };
}

/** A Slack app with its state. */
export function SlackAppItem({ app, onEdit }: { readonly app: SlackApp; readonly onEdit: () => void }) {
  const { id, name, workspaceName, transport, channels, statusReason, isEnabled } = app;
  const path = { id };
  const test = useChange(() => lectern().client.call('testSlackApp', { path }), ['slack-apps']);
  const remove = useChange(() => lectern().client.call('deleteSlackApp', { path }), ['slack-apps']);
  const toggle = useChange(
    () => lectern().client.call('updateSlackApp', { path, body: { isEnabled: !isEnabled } }),
    ['slack-apps'],
  );
  const problem = test.error ?? toggle.error;
  return (
    <li className="card stack">
      <div>
        <div className="row row-apart">
          <h3>{name}</h3>
          <StatusBadge {...stateOf(app)} />
        </div>
        <p className="muted small">
          {workspaceName} · {t(transport === 'http' ? 'slack.usesHttp' : 'slack.usesSocket')} ·{' '}
          {channels.length === 0 ? t('slack.directOnly') : t('slack.allowed', { count: channels.length })}
        </p>
        {statusReason === null ? null : <p className="field-error">{statusReason}</p>}
      </div>
      {test.data === undefined ? null : (
        <p role="status">
          {test.data.message} {test.data.missingScopes.join(', ')}
        </p>
      )}
      {problem === null ? null : <ErrorNotice error={problem} />}
      <div className="row row-end">
        <Button onClick={() => test.mutate()} isBusy={test.isPending}>
          {t('slack.test')}
        </Button>
        <Button onClick={() => toggle.mutate()} isBusy={toggle.isPending}>
          {t(isEnabled ? 'slack.stop' : 'slack.start')}
        </Button>
        <Button onClick={onEdit}>{t('slack.edit')}</Button>
        <Confirm
          label={t('slack.delete')}
          question={t('slack.deleteQuestion', { name })}
          done={t('slack.deleted', { name })}
          mutation={remove}
        >
          <p>{t('slack.deleteHint')}</p>
        </Confirm>
      </div>
    </li>
  );
}
