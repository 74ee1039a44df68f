import { lectern } from '#api/lectern.ts';
import type { Delivery, Webhook } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

/** What is wrong with a webhook. */
function Problems({ webhook }: { readonly webhook: Webhook }) {
  const { disabledReason, disabledAt, failingSince, pausedUntil, droppedEvents, enabled, state } = webhook;
  return (
    <>
      {disabledReason === null || enabled ? null : (
        <p className="notice notice-error small" role="note">
          <RichText name="webhooks.disabled" elements={{ ago: <Ago time={disabledAt} /> }} />{' '}
          {t(`webhooks.reasons.${disabledReason}`)}
        </p>
      )}
      {state === 'failing' && failingSince !== null ? (
        <p className="notice notice-warn small" role="note">
          {t('webhooks.failingSince', { time: dateTimeText(failingSince) })}{' '}
          {pausedUntil === null ? null : t('webhooks.nextAttemptAt', { time: dateTimeText(pausedUntil) })}
        </p>
      ) : null}
      {droppedEvents === 0 ? null : (
        <p className="notice notice-warn small" role="note">
          {t('webhooks.dropped', { count: droppedEvents })}
        </p>
      )}
    </>
  );
}

function TestResult({ delivery }: { readonly delivery: Delivery }) {
  const { lastAttempt, status } = delivery;
  if (status === 'delivered' && lastAttempt !== null) {
    return (
      <p className="notice notice-good small" role="status">
        {t('webhooks.testAccepted', { status: lastAttempt.responseStatus ?? '', ms: lastAttempt.durationMs })}
      </p>
    );
  }
  return (
    <p className="notice notice-error small" role="status">
      {lastAttempt?.error ?? t('webhooks.testNotSent')}
    </p>
  );
}

/** A webhook with its actions. */
export function WebhookItem({
  webhook,
  onEdit,
  onRotate,
  onDeliveries,
}: {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onRotate: () => void;
  readonly onDeliveries: () => void;
}) {
  const { id, url, description, events, collections, enabled, state, pendingEvents, createdAt } = webhook;
  const test = useChange(() => lectern().webhooks.test(id), ['webhooks', 'deliveries']);
  const toggle = useChange(() => lectern().webhooks.update(id, { enabled: !enabled }), ['webhooks']);
  const remove = useChange(() => lectern().webhooks.delete(id), ['webhooks']);
  const error = test.error ?? toggle.error;
  const { host } = new URL(url);
  const summary = [
    events.length === 0 ? t('webhooks.noEvents') : events.join(', '),
    collections.length === 0 ? t('webhooks.allCollections') : t('webhooks.collections', { count: collections.length }),
    pendingEvents === 0 ? '' : t('webhooks.waiting', { count: pendingEvents }),
  ].filter((part) => part !== '');
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h2>
            {description === '' ? host : description} <StatusBadge status={state} />
          </h2>
          <p className="mono small break">{url}</p>
          <p className="muted small">
            {summary.join(' · ')} · <RichText name="webhooks.created" elements={{ ago: <Ago time={createdAt} /> }} />
          </p>
        </div>
        <div className="row">
          <Button onClick={onDeliveries}>{t('webhooks.deliveries')}</Button>
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            {t('webhooks.sendTest')}
          </Button>
          <Button onClick={onEdit}>{t('webhooks.edit')}</Button>
          <Button onClick={onRotate}>{t('webhooks.rotateTitle')}</Button>
          <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
            {t(enabled ? 'webhooks.disable' : 'webhooks.enable')}
          </Button>
          <Confirm
            label={t('webhooks.delete')}
            question={t('webhooks.deleteQuestion', { host })}
            done={t('webhooks.deleted', { host })}
            mutation={remove}
          >
            <p>{t('webhooks.deleteHint')}</p>
          </Confirm>
        </div>
      </div>
      <Problems webhook={webhook} />
      {error ? <ErrorNotice error={error} /> : null}
      {test.data === undefined ? null : <TestResult delivery={test.data} />}
    </li>
  );
}
