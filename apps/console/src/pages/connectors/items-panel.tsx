import { lectern } from '#api/lectern.ts';
import type { PushedItem } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { type Column, Table } from '#ui/table.tsx';

/** Lists and deletes the items that a program pushed to a connector. */
export function ItemsPanel({ connectorId }: { readonly connectorId: string }) {
  const paging = usePaged(['items', connectorId], (page, options) =>
    lectern().items.list(connectorId, { page, limit: 20 }, options),
  );
  const columns: readonly Column<PushedItem>[] = [
    { name: t('connectors.columns.title'), cell: ({ title }) => title },
    { name: t('connectors.columns.id'), cell: ({ id }) => <code>{id}</code> },
    { name: t('connectors.columns.revision'), isNumber: true, cell: ({ revision }) => revision },
    {
      name: t('connectors.columns.status'),
      cell: ({ status, error }) => (
        <>
          <StatusBadge status={status} /> {error?.message}
        </>
      ),
    },
    { name: t('connectors.columns.updated'), cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (item) => <DeleteItem connectorId={connectorId} item={item} /> },
  ];
  return (
    <Listing
      paging={paging}
      what={t('connectors.what.items')}
      empty={
        <Empty title={t('connectors.items.none')}>
          <p>{t('connectors.items.noneHint')}</p>
        </Empty>
      }
    >
      {(items) => <Table caption={t('connectors.items.title')} columns={columns} rows={items} keyOf={({ id }) => id} />}
    </Listing>
  );
}

function DeleteItem({ connectorId, item }: { readonly connectorId: string; readonly item: PushedItem }) {
  const remove = useChange(
    () => lectern().items.delete(connectorId, item.id),
    ['items', 'jobs', 'documents', 'collections', 'search'],
  );
  return (
    <Confirm
      label={t('connectors.delete')}
      question={t('connectors.items.deleteQuestion', { title: item.title })}
      done={t('connectors.deleted', { name: item.title })}
      mutation={remove}
    >
      <p>{t('connectors.items.deleteHint')}</p>
    </Confirm>
  );
}
