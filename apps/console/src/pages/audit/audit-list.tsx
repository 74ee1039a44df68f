import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { AuditEvent } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { downloadAudit } from '#pages/audit/download-audit.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const COLUMNS: readonly Column<AuditEvent>[] = [
  { name: 'Time', cell: ({ createdAt }) => dateTimeText(createdAt) },
  { name: 'Action', cell: ({ action }) => action },
  {
    name: 'Resource',
    cell: ({ resource }) => (
      <>
        {resource.type.replaceAll('_', ' ')} <code>{resource.id}</code>
      </>
    ),
  },
  {
    name: 'By',
    cell: ({ actor }) => (
      <>
        {actor.name} <span className="muted small">{actor.user ?? actor.keyId ?? 'Command line'}</span>
      </>
    ),
  },
  { name: 'IP address', cell: ({ ip }) => ip },
];

/** The audit log. */
export function AuditList() {
  const [action, setAction] = useState('');
  const [resourceId, setResourceId] = useState('');
  const paging = usePaged(['audit', action, resourceId], (page, options) =>
    lectern().analytics.audit(
      { page, limit: 25, ...(action === '' ? {} : { action }), ...(resourceId === '' ? {} : { resourceId }) },
      options,
    ),
  );
  const filter = (set: (value: string) => void) => (value: string) => {
    paging.setPage(1);
    set(value.trim());
  };
  const download = useChange(() => downloadAudit({ action, resourceId }), ['audit']);
  return (
    <div className="stack">
      <div className="row row-end">
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          Export
        </Button>
      </div>
      {download.error ? <ErrorNotice error={download.error} /> : null}
      <div className="form-grid">
        <TextField label="Action" value={action} onChange={filter(setAction)} placeholder="createConnector" />
        <TextField label="Resource ID" value={resourceId} onChange={filter(setResourceId)} />
      </div>
      <Listing
        paging={paging}
        what="the audit log"
        empty={<Empty title={action === '' && resourceId === '' ? 'No changes yet' : 'No matching changes'} />}
      >
        {(items) => <Table caption="Audit log" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Listing>
    </div>
  );
}
