import type { Page, Query } from '@lectern/sdk';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { LecternDocument } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { sizeText } from '#ui/size-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import { type Column, Table } from '#ui/table.tsx';

const STATUSES = ['', 'pending', 'processing', 'indexed', 'failed'] as const;
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const OPTIONS = STATUSES.map((value) => ({ value, label: value === '' ? 'All statuses' : capitalize(value) }));

/** The refresh interval while documents are being indexed. */
const REFRESH_MS = 3_000;

const isActive = ({ status }: LecternDocument) => status === 'pending' || status === 'processing';

/** The documents of a collection or connector with their status. */
export function DocumentTable({
  name,
  read,
}: {
  /** The cache key. */
  readonly name: string;
  readonly read: (
    query: Query<'listDocuments'>,
    options: { readonly signal: AbortSignal },
  ) => PromiseLike<Page<LecternDocument>>;
}) {
  // A link can choose the status.
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find((value) => value === params.get('status')) ?? '';
  const [opened, setOpened] = useState<Opened>();
  const paging = usePaged(
    ['documents', name, status],
    (page, options) => read({ page, limit: 20, ...(status === '' ? {} : { status }) }, options),
    { refresh: { everyMs: REFRESH_MS, while: (items) => items.some(isActive) } },
  );
  const columns: readonly Column<LecternDocument>[] = [
    {
      name: 'Title',
      cell: (document) => (
        <>
          <button type="button" className="link-button" onClick={() => setOpened(document)}>
            {document.title}
          </button>
          {document.error ? <p className="field-error">{document.error.message}</p> : null}
        </>
      ),
    },
    { name: 'Status', cell: (document) => <StatusBadge status={document.status} /> },
    { name: 'Type', cell: ({ type }) => type },
    { name: 'Size', isNumber: true, cell: ({ sizeBytes }) => sizeText(sizeBytes) },
    { name: 'Updated', cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (document) => <DeleteDocument document={document} /> },
  ];
  return (
    <div className="stack">
      <div className="filter">
        <SelectField
          label="Status"
          value={status}
          options={OPTIONS}
          onChange={(chosen) => {
            paging.setPage(1);
            setParams(
              (earlier) => {
                const next = new URLSearchParams(earlier);
                if (chosen === '') next.delete('status');
                else next.set('status', chosen);
                return next;
              },
              { replace: true },
            );
          }}
        />
      </div>
      <Listing
        paging={paging}
        what="documents"
        empty={
          status === '' ? (
            <Empty title="No documents yet">
              <p>Upload files, add a document or sync a connector.</p>
            </Empty>
          ) : (
            <Empty title={`No ${status} documents`} />
          )
        }
      >
        {(items) => <Table caption="Documents" columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Listing>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function DeleteDocument({ document: { id, title } }: { readonly document: LecternDocument }) {
  const remove = useChange(() => lectern().documents.delete(id), ['documents', 'collections', 'search']);
  return (
    <Confirm label="Delete" question={`Delete “${title}”?`} done={`“${title}” is deleted.`} mutation={remove}>
      <p>Search and chat stop using it immediately. The next sync can add it again if it still exists in the source.</p>
    </Confirm>
  );
}
