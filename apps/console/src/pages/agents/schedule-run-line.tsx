import { Link } from 'wouter';
import type { ScheduleRun } from '#api/types.ts';
import { TargetLabel } from '#pages/agents/target-label.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const ACTIVE: readonly string[] = ['queued', 'running', 'waiting', 'pending'];

/** True while a run, or the first attempt of one of its deliveries, has not ended. */
export const isActive = ({ status, deliveries }: ScheduleRun): boolean =>
  ACTIVE.includes(status) || deliveries.some((delivery) => ACTIVE.includes(delivery.status) && delivery.error === null);

/** A run, why it failed, and the state of each delivery. */
export function ScheduleRunLine({ run, isOwner }: { readonly run: ScheduleRun; readonly isOwner: boolean }) {
  const { status, error, createdAt, conversationId, deliveries } = run;
  return (
    <div>
      <p className="row">
        <StatusBadge status={status} />
        <span className="muted small">
          <Ago time={createdAt} />
        </span>
        {isOwner && status === 'completed' && conversationId !== null ? (
          <Link className="small" href={`/chat/${conversationId}`}>
            {t('agents.schedules.openConversation')}
          </Link>
        ) : null}
      </p>
      {error === null ? null : <p className="small">{error.message}</p>}
      {deliveries.length === 0 ? null : (
        <ul className="bullets small" aria-label={t('agents.schedules.deliveries')}>
          {deliveries.map(({ target, status: delivery, attempts, error: reason }) => (
            <li key={JSON.stringify(target)}>
              <RichText
                name={reason === null ? 'agents.schedules.delivery' : 'agents.schedules.failedDelivery'}
                count={attempts}
                values={{ status: t(`agents.schedules.deliveryStatuses.${delivery}`), reason: reason ?? '' }}
                elements={{ target: <TargetLabel target={target} /> }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
