import { Link } from 'wouter';
import type { ScheduleRun } from '#api/types.ts';
import { TargetLabel } from '#pages/agents/target-label.tsx';
import { Ago } from '#ui/ago.tsx';
import { plural } from '#ui/plural.ts';
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
            Open the conversation
          </Link>
        ) : null}
      </p>
      {error === null ? null : <p className="small">{error.message}</p>}
      {deliveries.length === 0 ? null : (
        <ul className="bullets small" aria-label="Deliveries">
          {deliveries.map(({ target, status: delivery, attempts, error: reason }) => (
            <li key={JSON.stringify(target)}>
              <TargetLabel target={target} />: {delivery}
              {reason === null ? '' : ` after ${plural(attempts, 'attempt')}. ${reason}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
