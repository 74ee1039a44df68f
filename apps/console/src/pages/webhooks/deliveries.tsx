import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { DeliveryItem, Webhook } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const REFRESH_MS = 2_000;
const STATUSES = [
  { value: '', label: t('webhooks.filters.all') },
  { value: 'pending', label: t('webhooks.filters.pending') },
  { value: 'delivered', label: t('webhooks.filters.delivered') },
  { value: 'failed', label: t('webhooks.filters.failed') },
  { value: 'skipped', label: t('webhooks.filters.skipped') },
];
const statusOf = (text: string): DeliveryItem['status'] | undefined =>
  (['pending', 'delivered', 'failed', 'skipped'] as const).find((status) => status === text);

/** The payload and the attempts of a delivery. */
function Details({ webhookId, id }: { readonly webhookId: string; readonly id: string }) {
  const delivery = useQuery({
    queryKey: ['deliveries', webhookId, 'one', id],
    queryFn: ({ signal }) => lectern().webhooks.delivery(webhookId, id, { signal }),
  });
  return (
    <QueryView query={delivery} what={t('webhooks.what.delivery')}>
      {({ payload, attempts }) => (
        <div className="stack">
          <pre className="code small">{JSON.stringify(payload, null, 2)}</pre>
          <ol className="plain-list">
            {attempts.map(({ at, durationMs, responseStatus, response, error }) => (
              <li key={at} className="small">
                {dateTimeText(at)} · {t('webhooks.duration', { ms: durationMs })} ·{' '}
                {error ?? t('webhooks.returned', { status: responseStatus ?? '' })}
                {response === '' ? null : <pre className="code small">{response}</pre>}
              </li>
            ))}
          </ol>
        </div>
      )}
    </QueryView>
  );
}

function DeliveryRow({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: DeliveryItem }) {
  const { id, type, resource, status, attemptCount, nextAttemptAt, lastAttempt, createdAt } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const replay = useChange(() => lectern().webhooks.replay(webhook.id, id), ['deliveries', 'webhooks']);
  const canReplay = webhook.enabled && type !== 'webhook.test';
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h3>
            {type} <StatusBadge status={status} />
          </h3>
          <p className="mono small break">{resource}</p>
          <p className="muted small">
            <Ago time={createdAt} /> · {t('webhooks.attempts', { count: attemptCount })}
            {lastAttempt?.error ? ` · ${lastAttempt.error}` : ''}
            {nextAttemptAt === null ? '' : ` · ${t('webhooks.nextAttempt', { time: dateTimeText(nextAttemptAt) })}`}
          </p>
        </div>
        <div className="row">
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {t(isOpen ? 'webhooks.hideDetails' : 'webhooks.details')}
          </Button>
          {canReplay ? (
            <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
              {t(status === 'pending' ? 'webhooks.retry' : 'webhooks.replay')}
            </Button>
          ) : null}
        </div>
      </div>
      {replay.error ? <ErrorNotice error={replay.error} /> : null}
      {isOpen ? <Details webhookId={webhook.id} id={id} /> : null}
    </li>
  );
}

/** The delivery log of a webhook. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [filter, setFilter] = useState('');
  const status = statusOf(filter);
  const paging = usePaged(
    ['deliveries', webhook.id, filter],
    (page, options) =>
      lectern().webhooks.deliveries(
        webhook.id,
        { page, limit: 20, ...(status === undefined ? {} : { status }) },
        options,
      ),
    // New events appear at any time.
    { refresh: { everyMs: REFRESH_MS, while: () => true } },
  );
  return (
    <div className="stack">
      <SelectField label={t('webhooks.status')} value={filter} options={STATUSES} onChange={setFilter} />
      <Listing
        paging={paging}
        what={t('webhooks.what.deliveries')}
        empty={
          <Empty title={t('webhooks.noDeliveries')}>
            <p>{t('webhooks.noDeliveriesHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </ul>
        )}
      </Listing>
    </div>
  );
}
