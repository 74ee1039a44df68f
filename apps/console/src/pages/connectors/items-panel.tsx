import { lectern } from '#api/lectern.ts';
import type { PushedItem } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
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
    { name: 'Title', cell: ({ title }) => title },
    { name: 'ID', cell: ({ id }) => <code>{id}</code> },
    { name: 'Revision', isNumber: true, cell: ({ revision }) => revision },
    {
      name: 'Status',
      cell: ({ status, error }) => (
        <>
          <StatusBadge status={status} /> {error?.message}
        </>
      ),
    },
    { name: 'Updated', cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (item) => <DeleteItem connectorId={connectorId} item={item} /> },
  ];
  return (
    <Listing
      paging={paging}
      what="items"
      empty={
        <Empty title="No items yet">
          <p>Push items with the code in the tab “Set up”.</p>
        </Empty>
      }
    >
      {(items) => <Table caption="Items" columns={columns} rows={items} keyOf={({ id }) => id} />}
    </Listing>
  );
}

function DeleteItem({ connectorId, item }: { readonly connectorId: string; readonly item: PushedItem }) {
  const remove = useChange(
    () => lectern().items.delete(connectorId, item.id),
    ['items', 'jobs', 'documents', 'collections', 'search'],
  );
  return (
    <Confirm label="Delete" question={`Delete “${item.title}”?`} done={`“${item.title}” is deleted.`} mutation={remove}>
      <p>This deletes the item and its document from the index. Your program can push it again with a new revision.</p>
    </Confirm>
  );
}
