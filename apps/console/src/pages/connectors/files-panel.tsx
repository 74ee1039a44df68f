import { lectern } from '#api/lectern.ts';
import type { SourceFile } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { UploadPanel } from '#pages/collections/upload-panel.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { sizeText } from '#ui/size-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import { type Column, Table } from '#ui/table.tsx';

/** Lists, uploads and deletes the files of a connector. */
export function FilesPanel({ connectorId }: { readonly connectorId: string }) {
  const paging = usePaged(['files', connectorId], (page, options) =>
    lectern().files.list(connectorId, { page, limit: 20 }, options),
  );
  const columns: readonly Column<SourceFile>[] = [
    { name: t('connectors.columns.path'), cell: ({ path }) => path },
    { name: t('connectors.columns.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { name: t('connectors.columns.type'), cell: ({ mimeType }) => mimeType },
    { name: t('connectors.columns.size'), isNumber: true, cell: ({ size }) => sizeText(size) },
    { name: t('connectors.columns.updated'), cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (file) => <DeleteFile connectorId={connectorId} file={file} /> },
  ];
  return (
    <div className="stack">
      <UploadPanel connectorFor={async () => connectorId} />
      <Listing
        paging={paging}
        what={t('connectors.what.files')}
        empty={
          <Empty title={t('connectors.files.none')}>
            <p>{t('connectors.files.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <Table caption={t('connectors.files.title')} columns={columns} rows={items} keyOf={({ id }) => id} />
        )}
      </Listing>
    </div>
  );
}

function DeleteFile({ connectorId, file }: { readonly connectorId: string; readonly file: SourceFile }) {
  const remove = useChange(
    () => lectern().files.delete(connectorId, [file.id]),
    ['files', 'documents', 'collections', 'search'],
  );
  return (
    <Confirm
      label={t('connectors.delete')}
      question={t('connectors.files.deleteQuestion', { name: file.name })}
      done={t('connectors.deleted', { name: file.name })}
      mutation={remove}
    >
      <p>{t('connectors.files.deleteHint')}</p>
    </Confirm>
  );
}
