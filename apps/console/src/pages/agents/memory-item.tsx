import { lectern } from '#api/lectern.ts';
import type { Memory } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateText } from '#ui/time-text.ts';

/** A memory with its actions. */
export function MemoryItem({
  memory,
  onEdit,
}: {
  /** `score` is the relevance in a search. */
  readonly memory: Memory & { readonly score?: number };
  readonly onEdit: () => void;
}) {
  const { id, agentId, kind, content, importance, expiresAt, proposed, createdAt, score } = memory;
  const memories = lectern().agents.memories;
  const remove = useChange(() => memories.delete(agentId, id), ['memories']);
  const confirm = useChange(() => memories.update(agentId, id, { proposed: false }), ['memories']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <p>{content}</p>
        <p className="muted small">
          <StatusBadge status={kind} /> {proposed ? <StatusBadge status="proposed" /> : null} importance{' '}
          {Math.round(importance * 100)}% · <Ago time={createdAt} />
          {expiresAt === null ? '' : ` · expires ${dateText(expiresAt)}`}
          {score === undefined ? '' : ` · match ${Math.round(score * 100)}%`}
        </p>
        {confirm.error ? <ErrorNotice error={confirm.error} /> : null}
      </div>
      <div className="row">
        {proposed ? (
          <Button isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            Accept
          </Button>
        ) : null}
        <Button onClick={onEdit}>Edit</Button>
        <Confirm label="Delete" question="Delete this memory?" done="The memory is deleted." mutation={remove}>
          <p>{content}</p>
        </Confirm>
      </div>
    </li>
  );
}
