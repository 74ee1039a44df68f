import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call, callPage } from '#api/request.ts';
import type { LecternDocument } from '#api/types.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { Pager } from '#ui/pager.tsx';
import { sizeText } from '#ui/size-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

const STATUSES = ['', 'pending', 'processing', 'indexed', 'failed'].map((value) => ({
  value,
  label: value === '' ? 'Any status' : value,
}));

/** Read again this often while something is still being indexed. */
const REFRESH_MS = 3_000;

/** The documents of a collection or a connector, whose list is at `path`. */
export function DocumentTable({ path, children }: { readonly path: string; readonly children?: ReactNode }) {
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const list = useQuery({
    queryKey: ['documents', path, page, status],
    queryFn: ({ signal }) =>
      callPage<readonly LecternDocument[]>('GET', path, { query: { page, limit: 20, status }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status: state }) => state === 'pending' || state === 'processing') ? REFRESH_MS : false,
  });
  return (
    <section className="stack" aria-label="Documents">
      <div className="row row-apart">
        <SelectField
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(chosen) => {
            setPage(1);
            setStatus(chosen);
          }}
        />
        {children}
      </div>
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="documents" /> : null}
      {list.data?.items.length === 0 ? (
        <Empty title={status === '' ? 'There are no documents yet' : `No document is ${status}`} />
      ) : null}
      {list.data && list.data.items.length > 0 ? (
        <div className="table-wrap">
          <table className="table-cards">
            <caption className="visually-hidden">Documents</caption>
            <thead>
              <tr>
                <th scope="col">Title</th>
                <th scope="col">Status</th>
                <th scope="col">Type</th>
                <th scope="col">Size</th>
                <th scope="col">Changed</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((document) => (
                <tr key={document.id}>
                  <td>
                    <button type="button" className="link-button" onClick={() => setOpened(document)}>
                      {document.title}
                    </button>
                    {document.error ? <p className="field-error">{document.error.message}</p> : null}
                  </td>
                  <td data-label="Status">
                    <StatusBadge status={document.status} />
                  </td>
                  <td data-label="Type">{document.type}</td>
                  <td data-label="Size">{sizeText(document.sizeBytes)}</td>
                  <td data-label="Changed">
                    <Ago time={document.updatedAt} />
                  </td>
                  <td>
                    <Confirm
                      label="Delete"
                      question={`Delete “${document.title}”?`}
                      action={() => call('DELETE', `/api/v1/documents/${document.id}`)}
                      onDone={() => list.refetch()}
                    >
                      <p>It is gone from search and chat at once. A source that still has it may bring it back.</p>
                    </Confirm>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </section>
  );
}
