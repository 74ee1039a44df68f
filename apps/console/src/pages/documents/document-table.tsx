import type { Page, Query } from '@lectern/sdk';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { LecternDocument } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { t } from '#texts/texts.ts';
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
const OPTIONS = STATUSES.map((value) => ({
  value,
  label: value === '' ? t('documents.allStatuses') : capitalize(t(`ui.statuses.${value}`)),
}));

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
      name: t('documents.title'),
      cell: (document) => (
        <>
          <button type="button" className="link-button" onClick={() => setOpened(document)}>
            {document.title}
          </button>
          {document.error ? <p className="field-error">{document.error.message}</p> : null}
        </>
      ),
    },
    { name: t('documents.status'), cell: (document) => <StatusBadge status={document.status} /> },
    { name: t('documents.type'), cell: ({ type }) => type },
    { name: t('documents.size'), isNumber: true, cell: ({ sizeBytes }) => sizeText(sizeBytes) },
    { name: t('documents.updated'), cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (document) => <DeleteDocument document={document} /> },
  ];
  return (
    <div className="stack">
      <div className="filter">
        <SelectField
          label={t('documents.status')}
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
        what={t('documents.what.documents')}
        empty={
          status === '' ? (
            <Empty title={t('documents.none')}>
              <p>{t('documents.noneHint')}</p>
            </Empty>
          ) : (
            <Empty title={t(`documents.noneWithStatus.${status}`)} />
          )
        }
      >
        {(items) => <Table caption={t('documents.caption')} columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Listing>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function DeleteDocument({ document: { id, title } }: { readonly document: LecternDocument }) {
  const remove = useChange(() => lectern().documents.delete(id), ['documents', 'collections', 'search']);
  return (
    <Confirm
      label={t('documents.delete')}
      question={t('documents.deleteQuestion', { title })}
      done={t('documents.deleted', { title })}
      mutation={remove}
    >
      <p>{t('documents.deleteEffect')}</p>
    </Confirm>
  );
}
