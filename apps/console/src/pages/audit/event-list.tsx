import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { AnalyticsEvent } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const COLUMNS: readonly Column<AnalyticsEvent>[] = [
  { name: t('ui.time'), cell: ({ occurredAt }) => dateTimeText(occurredAt) },
  { name: t('audit.event'), cell: ({ name }) => name },
  { name: t('audit.properties'), cell: ({ properties }) => <code>{JSON.stringify(properties)}</code> },
  { name: t('audit.by'), cell: ({ keyId }) => <code>{keyId}</code> },
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
        label={t('audit.eventName')}
        value={name}
        onChange={(value) => {
          paging.setPage(1);
          setName(value.trim());
        }}
      />
      <Listing
        paging={paging}
        what={t('audit.whatEvents')}
        empty={
          name === '' ? (
            <Empty title={t('audit.noEvents')}>
              <p>
                <RichText name="audit.noEventsHelp" elements={{ code: <code /> }} />
              </p>
            </Empty>
          ) : (
            <Empty title={t('audit.noMatchingEvents')} />
          )
        }
      >
        {(items) => <Table caption={t('audit.events')} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Listing>
    </div>
  );
}
