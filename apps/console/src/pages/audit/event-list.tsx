import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { AnalyticsEvent } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { Empty } from '#ui/empty.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const COLUMNS: readonly Column<AnalyticsEvent>[] = [
  { name: 'Time', cell: ({ occurredAt }) => dateTimeText(occurredAt) },
  { name: 'Event', cell: ({ name }) => name },
  { name: 'Properties', cell: ({ properties }) => <code>{JSON.stringify(properties)}</code> },
  { name: 'By', cell: ({ keyId }) => <code>{keyId}</code> },
];

/** Recorded events, newest first. */
export function EventList() {
  const [name, setName] = useState('');
  const paging = usePaged(['events', name], (page, options) =>
    lectern().analytics.events({ page, limit: 25, ...(name === '' ? {} : { name }) }, options),
  );
  return (
    <div className="stack">
      <TextField
        label="Event name"
        value={name}
        onChange={(value) => {
          paging.setPage(1);
          setName(value.trim());
        }}
      />
      <Listing
        paging={paging}
        what="events"
        empty={
          name === '' ? (
            <Empty title="No events yet">
              <p>
                Record events with <code>POST /api/v1/analytics/events</code>.
              </p>
            </Empty>
          ) : (
            <Empty title="No matching events" />
          )
        }
      >
        {(items) => <Table caption="Recorded events" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Listing>
    </div>
  );
}
