import { lectern } from '#api/lectern.ts';
import type { Memory } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
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
          <StatusBadge status={kind} label={t(`agents.memories.kindBadges.${kind}`)} />{' '}
          {proposed ? <StatusBadge status="proposed" label={t('agents.memories.proposed')} /> : null}{' '}
          {t('agents.memories.importanceOf', { percent: Math.round(importance * 100) })} · <Ago time={createdAt} />
          {expiresAt === null ? '' : ` · ${t('agents.memories.expiresOn', { day: dateText(expiresAt) })}`}
          {score === undefined ? '' : ` · ${t('agents.memories.match', { percent: Math.round(score * 100) })}`}
        </p>
        {confirm.error ? <ErrorNotice error={confirm.error} /> : null}
      </div>
      <div className="row">
        {proposed ? (
          <Button isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('agents.memories.accept')}
          </Button>
        ) : null}
        <Button onClick={onEdit}>{t('agents.edit')}</Button>
        <Confirm
          label={t('agents.delete')}
          question={t('agents.memories.deleteQuestion')}
          done={t('agents.memories.deleted')}
          mutation={remove}
        >
          <p>{content}</p>
        </Confirm>
      </div>
    </li>
  );
}
