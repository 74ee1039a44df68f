import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { CollectionRecord } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { uploadConnector } from '#pages/collections/upload-connector.ts';
import { UploadPanel } from '#pages/collections/upload-panel.tsx';
import { DocumentForm } from '#pages/documents/document-form.tsx';
import { DocumentTable } from '#pages/documents/document-table.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { plural } from '#ui/plural.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { sizeText } from '#ui/size-text.ts';

/** A collection with its documents and uploads. */
export default function CollectionPage({ id }: { readonly id: string }) {
  const record = useQuery({
    queryKey: ['collections', id],
    queryFn: ({ signal }) => lectern().collections.get(id, { signal }),
  });
  return (
    <QueryView query={record} what="the collection">
      {(collection) => <Loaded collection={collection} />}
    </QueryView>
  );
}

function Loaded({ collection }: { readonly collection: CollectionRecord }) {
  const { id, name, documentCount, embeddingCount, embeddingModel } = collection;
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'edit' | 'document'>();
  const stats = useChange(() => lectern().collections.refreshStats(id), ['collections']);
  const remove = useChange(
    () => lectern().collections.delete(id),
    ['collections', 'connectors'],
    () => navigate('/collections'),
  );
  const connectors = collection.connectors.length;
  const close = () => setOpen(undefined);

  return (
    <>
      <PageHead title={name} parent={{ to: '/collections', label: 'Collections' }} intro={collection.description}>
        <Button onClick={() => setOpen('document')}>Add document</Button>
        <Button onClick={() => setOpen('edit')}>Edit</Button>
        <Confirm
          label="Delete"
          question={`Delete “${name}” and all its documents?`}
          done={`“${name}” is deleted.`}
          mutation={remove}
        >
          <p>This deletes {plural(documentCount, 'document')} and all embeddings. This cannot be undone.</p>
        </Confirm>
      </PageHead>
      <div className="row muted">
        <span>
          {plural(documentCount, 'document')}, {plural(embeddingCount, 'passage')},{' '}
          <Link href="/connectors">{plural(connectors, 'connector')}</Link>, model <code>{embeddingModel}</code>
          {stats.data ? `, ${sizeText(stats.data.storageBytes)}` : ''}
        </span>
        <Button isBusy={stats.isPending} onClick={() => stats.mutate()}>
          Refresh statistics
        </Button>
      </div>
      {stats.error ? <ErrorNotice error={stats.error} /> : null}
      <UploadPanel connectorFor={() => uploadConnector(collection)} />
      <DocumentTable name={id} read={(query, options) => lectern().documents.list(id, query, options)} />
      <Sheet title="Edit collection" side="middle" isOpen={open === 'edit'} onOpenChange={close}>
        <CollectionForm collection={collection} onDone={close} />
      </Sheet>
      <Sheet title="Add document" isOpen={open === 'document'} onOpenChange={close}>
        <DocumentForm collectionId={id} onDone={close} />
      </Sheet>
    </>
  );
}
