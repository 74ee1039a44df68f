import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '#api/request.ts';
import type { CollectionRecord } from '#api/types.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { UploadPanel } from '#pages/collections/upload-panel.tsx';
import { DocumentForm } from '#pages/documents/document-form.tsx';
import { DocumentTable } from '#pages/documents/document-table.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { sizeText } from '#ui/size-text.ts';

interface Stats {
  readonly storageBytes: number;
}

/** A collection: its documents, and the ways into it. */
export default function CollectionPage({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'edit' | 'document'>();
  const path = `/api/v1/collections/${id}`;
  const record = useQuery({
    queryKey: ['collections', id],
    queryFn: ({ signal }) => call<CollectionRecord>('GET', path, { signal }),
  });
  const stats = useMutation({
    mutationFn: () => call<Stats>('POST', `${path}/refresh-stats`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['collections'] }),
  });
  if (record.error) return <ErrorNotice error={record.error} onRetry={() => record.refetch()} />;
  if (record.data === undefined) return <Loading what="the collection" />;
  const collection = record.data;
  const connectors = collection.connectors.length;
  const close = () => setOpen(undefined);

  return (
    <>
      <PageHead title={collection.name} intro={collection.description}>
        <Button onClick={() => setOpen('document')}>Write a document</Button>
        <Button onClick={() => setOpen('edit')}>Edit</Button>
        <Confirm
          label="Delete"
          question={`Delete “${collection.name}” with all its documents?`}
          action={() => call('DELETE', path)}
          onDone={() => {
            navigate('/collections');
            void queryClient.invalidateQueries({ queryKey: ['collections'] });
          }}
        >
          <p>
            {collection.documentCount.toLocaleString()} documents and their embeddings are removed. This cannot be
            undone.
          </p>
        </Confirm>
      </PageHead>
      <div className="row muted">
        <span>
          {collection.documentCount.toLocaleString()} documents, {collection.embeddingCount.toLocaleString()} passages,{' '}
          <Link href="/connectors">
            {connectors} {connectors === 1 ? 'connector' : 'connectors'}
          </Link>
          , model <code>{collection.embeddingModel}</code>
          {stats.data ? `, ${sizeText(stats.data.storageBytes)}` : ''}
        </span>
        <Button isBusy={stats.isPending} onClick={() => stats.mutate()}>
          Count again
        </Button>
      </div>
      {stats.error ? <ErrorNotice error={stats.error} /> : null}
      <UploadPanel collection={collection} />
      <DocumentTable path={`${path}/documents`} />
      <Sheet title="Edit the collection" side="middle" isOpen={open === 'edit'} onOpenChange={close}>
        <CollectionForm collection={collection} onDone={close} />
      </Sheet>
      <Sheet title="Write a document" isOpen={open === 'document'} onOpenChange={close}>
        <DocumentForm collectionId={id} onDone={close} />
      </Sheet>
    </>
  );
}
