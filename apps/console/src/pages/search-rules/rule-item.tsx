import { lectern } from '#api/lectern.ts';
import type { SearchRule } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { DocumentTitle } from '#pages/search-rules/document-title.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** A rule with its documents and actions. */
export function RuleItem({
  rule,
  collectionName,
  onEdit,
}: {
  readonly rule: SearchRule;
  /** Undefined: it applies to all searches. */
  readonly collectionName: string | undefined;
  readonly onEdit: () => void;
}) {
  const { id, query, match, pins, hides, enabled } = rule;
  const toggle = useChange(() => lectern().searchRules.update(id, { enabled: !enabled }), ['search-rules']);
  const remove = useChange(() => lectern().searchRules.delete(id), ['search-rules']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h2>{query}</h2>
        <p className="muted small">
          {enabled ? null : <StatusBadge status="off" />} {t(`searchRules.matchesInList.${match}`)} ·{' '}
          {collectionName ?? t('searchRules.allSearches')}
        </p>
        <ul className="sources">
          {pins.map(({ documentId, position }) => (
            <li key={documentId}>
              <RichText
                name="searchRules.pinned"
                values={{ position }}
                elements={{ document: <DocumentTitle id={documentId} /> }}
              />
            </li>
          ))}
          {hides.map((documentId) => (
            <li key={documentId}>
              <RichText name="searchRules.hidden" elements={{ document: <DocumentTitle id={documentId} /> }} />
            </li>
          ))}
        </ul>
        {toggle.error ? <ErrorNotice error={toggle.error} /> : null}
      </div>
      <div className="row">
        <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {t(enabled ? 'searchRules.turnOff' : 'searchRules.turnOn')}
        </Button>
        <Button onClick={onEdit}>{t('searchRules.edit')}</Button>
        <Confirm
          label={t('searchRules.delete')}
          question={t('searchRules.deleteQuestion')}
          done={t('searchRules.deleted')}
          mutation={remove}
        >
          <p>{query}</p>
        </Confirm>
      </div>
    </li>
  );
}
