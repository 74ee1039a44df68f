import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { AuditEvent } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { Empty } from '#ui/empty.tsx';
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
        <code>{actor.keyId}</code> {actor.user}
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
  return (
    <div className="stack">
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
