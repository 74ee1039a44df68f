import { lectern } from '#api/lectern.ts';
import type { Delivery, Webhook } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { plural } from '#ui/plural.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  failing: 'No event was accepted for 24 hours. Repair the endpoint, send a test, then enable the webhook.',
  gone: 'The endpoint returned 410: it wants no more events.',
  creator: 'The key or person that created it has no access any more. Create the webhook again.',
};

/** What is wrong with a webhook. */
function Problems({ webhook }: { readonly webhook: Webhook }) {
  const { disabledReason, disabledAt, failingSince, pausedUntil, droppedEvents, enabled, state } = webhook;
  return (
    <>
      {disabledReason === null || enabled ? null : (
        <p className="notice notice-error small" role="note">
          Lectern disabled this webhook <Ago time={disabledAt} />. {REASONS[disabledReason]}
        </p>
      )}
      {state === 'failing' && failingSince !== null ? (
        <p className="notice notice-warn small" role="note">
          The endpoint has not accepted an event since {dateTimeText(failingSince)}.
          {pausedUntil === null ? '' : ` The next attempt is at ${dateTimeText(pausedUntil)}.`}
        </p>
      ) : null}
      {droppedEvents === 0 ? null : (
        <p className="notice notice-warn small" role="note">
          {plural(droppedEvents, 'event')} {droppedEvents === 1 ? 'was' : 'were'} not recorded, because too many were
          waiting. Read the records through the API.
        </p>
      )}
    </>
  );
}

function TestResult({ delivery }: { readonly delivery: Delivery }) {
  const { lastAttempt, status } = delivery;
  if (status === 'delivered') {
    return (
      <p className="notice notice-good small" role="status">
        The endpoint accepted the test ({lastAttempt?.responseStatus}, {lastAttempt?.durationMs} ms).
      </p>
    );
  }
  return (
    <p className="notice notice-error small" role="status">
      {lastAttempt?.error ?? 'The test was not sent.'}
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
  const summary = [
    events.length === 0 ? 'no events' : events.join(', '),
    collections.length === 0 ? 'all collections' : plural(collections.length, 'collection'),
    pendingEvents === 0 ? '' : `${plural(pendingEvents, 'event')} waiting`,
  ].filter((part) => part !== '');
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h2>
            {description === '' ? new URL(url).host : description} <StatusBadge status={state} />
          </h2>
          <p className="mono small break">{url}</p>
          <p className="muted small">
            {summary.join(' · ')} · created <Ago time={createdAt} />
          </p>
        </div>
        <div className="row">
          <Button onClick={onDeliveries}>Deliveries</Button>
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
          <Button onClick={onEdit}>Edit</Button>
          <Button onClick={onRotate}>Rotate secret</Button>
          <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Confirm
            label="Delete"
            question={`Delete the webhook ${new URL(url).host}?`}
            done={`The webhook ${new URL(url).host} is deleted.`}
            mutation={remove}
          >
            <p>Nothing more is sent, and its log is deleted. This cannot be undone.</p>
          </Confirm>
        </div>
      </div>
      <Problems webhook={webhook} />
      {error ? <ErrorNotice error={error} /> : null}
      {test.data === undefined ? null : <TestResult delivery={test.data} />}
    </li>
  );
}
