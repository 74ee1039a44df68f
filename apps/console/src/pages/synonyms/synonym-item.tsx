import { lectern } from '#api/lectern.ts';
import type { Synonym } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** A synonym with its actions. One of a pack can only be turned off. */
export function SynonymItem({
  synonym,
  collectionName,
  onEdit,
}: {
  readonly synonym: Synonym;
  /** Undefined: it applies to all searches. */
  readonly collectionName: string | undefined;
  readonly onEdit: () => void;
}) {
  const { id, terms, input, enabled, source } = synonym;
  const toggle = useChange(() => lectern().synonyms.update(id, { enabled: !enabled }), ['synonyms', 'synonym-packs']);
  const remove = useChange(() => lectern().synonyms.delete(id), ['synonyms']);
  const text = input.length === 0 ? terms.join(', ') : `${input.join(', ')} → ${terms.join(', ')}`;
  const isCustom = source === 'custom';
  return (
    <li className="card row row-apart">
      <div className="grow">
        <p>{text}</p>
        <p className="muted small">
          {enabled ? null : <StatusBadge status="off" />}{' '}
          {t(input.length === 0 ? 'synonyms.twoWay' : 'synonyms.oneWay')} ·{' '}
          {isCustom ? (collectionName ?? t('synonyms.allSearchesInList')) : source}
        </p>
        {toggle.error ? <ErrorNotice error={toggle.error} /> : null}
      </div>
      <div className="row">
        <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {t(enabled ? 'synonyms.turnOff' : 'synonyms.turnOn')}
        </Button>
        {isCustom ? (
          <>
            <Button onClick={onEdit}>{t('synonyms.edit')}</Button>
            <Confirm
              label={t('synonyms.delete')}
              question={t('synonyms.deleteQuestion')}
              done={t('synonyms.deleted')}
              mutation={remove}
            >
              <p>{text}</p>
            </Confirm>
          </>
        ) : null}
      </div>
    </li>
  );
}
