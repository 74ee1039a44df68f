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
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { sizeText } from '#ui/size-text.ts';

/** A collection with its documents and uploads. */
export default function CollectionPage({ id }: { readonly id: string }) {
  const record = useQuery({
    queryKey: ['collections', id],
    queryFn: ({ signal }) => lectern().collections.get(id, { signal }),
  });
  return (
    <QueryView query={record} title={t('collections.title')} what={t('collections.what.collection')}>
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
  const close = () => setOpen(undefined);

  return (
    <>
      <PageHead
        title={name}
        parent={{ to: '/collections', label: t('collections.title') }}
        intro={collection.description}
      >
        <Button onClick={() => setOpen('document')}>{t('collections.addDocument')}</Button>
        <Button onClick={() => setOpen('edit')}>{t('collections.edit')}</Button>
        <Confirm
          label={t('collections.delete')}
          question={t('collections.deleteQuestion', { name })}
          done={t('collections.deleted', { name })}
          mutation={remove}
        >
          <p>{t('collections.deleteEffect', { count: documentCount })}</p>
        </Confirm>
      </PageHead>
      <div className="row muted">
        <span>
          <RichText
            name={stats.data ? 'collections.statisticsWithSize' : 'collections.statistics'}
            values={{
              documents: t('collections.documents', { count: documentCount }),
              passages: t('collections.passages', { count: embeddingCount }),
              connectors: t('collections.connectors', { count: collection.connectors.length }),
              model: embeddingModel,
              size: sizeText(stats.data?.storageBytes ?? 0),
            }}
            elements={{ page: <Link href="/connectors" />, code: <code /> }}
          />
        </span>
        <Button isBusy={stats.isPending} onClick={() => stats.mutate()}>
          {t('collections.refreshStatistics')}
        </Button>
      </div>
      {stats.error ? <ErrorNotice error={stats.error} /> : null}
      <UploadPanel connectorFor={() => uploadConnector(collection)} />
      <DocumentTable name={id} read={(query, options) => lectern().documents.list(id, query, options)} />
      <Sheet title={t('collections.editTitle')} side="middle" isOpen={open === 'edit'} onOpenChange={close}>
        <CollectionForm collection={collection} onDone={close} />
      </Sheet>
      <Sheet title={t('collections.addDocument')} isOpen={open === 'document'} onOpenChange={close}>
        <DocumentForm collectionId={id} onDone={close} />
      </Sheet>
    </>
  );
}
