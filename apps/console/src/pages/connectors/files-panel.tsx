import { lectern } from '#api/lectern.ts';
import type { SourceFile } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { UploadPanel } from '#pages/collections/upload-panel.tsx';
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
    { name: 'Path', cell: ({ path }) => path },
    { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'Type', cell: ({ mimeType }) => mimeType },
    { name: 'Size', isNumber: true, cell: ({ size }) => sizeText(size) },
    { name: 'Updated', cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
    { name: '', cell: (file) => <DeleteFile connectorId={connectorId} file={file} /> },
  ];
  return (
    <div className="stack">
      <UploadPanel connectorFor={async () => connectorId} />
      <Listing
        paging={paging}
        what="files"
        empty={
          <Empty title="No files yet">
            <p>Upload files to index them.</p>
          </Empty>
        }
      >
        {(items) => <Table caption="Files" columns={columns} rows={items} keyOf={({ id }) => id} />}
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
    <Confirm label="Delete" question={`Delete “${file.name}”?`} done={`“${file.name}” is deleted.`} mutation={remove}>
      <p>This deletes the file from the source and its document from the index.</p>
    </Confirm>
  );
}
