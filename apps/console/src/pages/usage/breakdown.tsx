import type { Query } from '@lectern/sdk';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { UsageItem } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { type Period, usageQuery } from '#pages/usage/periods.ts';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { moneyText } from '#ui/money-text.ts';
import { numberText } from '#ui/number-text.ts';
import { type Column, Table } from '#ui/table.tsx';

type Dimension = NonNullable<Query<'getUsageBreakdown'>['by']>;

const DIMENSIONS: readonly { readonly value: Dimension; readonly label: string }[] = [
  { value: 'model', label: 'Model' },
  { value: 'person', label: 'Person' },
  { value: 'key', label: 'Key' },
];
const ms = (value: number | null) => (value === null ? '–' : `${numberText(Math.round(value))} ms`);

const columnsOf = (name: string): readonly Column<UsageItem>[] => [
  { name, cell: (item) => item.name },
  { name: 'Requests', isNumber: true, cell: ({ requests }) => numberText(requests) },
  { name: 'Errors', isNumber: true, cell: ({ errors }) => numberText(errors) },
  { name: 'Median latency', isNumber: true, cell: ({ p50Ms }) => ms(p50Ms) },
  { name: '95th percentile', isNumber: true, cell: ({ p95Ms }) => ms(p95Ms) },
  { name: 'Input tokens', isNumber: true, cell: ({ promptTokens }) => numberText(promptTokens) },
  { name: 'Output tokens', isNumber: true, cell: ({ completionTokens }) => numberText(completionTokens) },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => moneyText(cost) },
];

/** Tokens and cost of each model, person or key. */
export function Breakdown({ period }: { readonly period: Period }) {
  const [dimension, setDimension] = useState(DIMENSIONS[0]);
  const by = dimension?.value ?? 'model';
  const paging = usePaged(['usage-breakdown', period.value, by], (page, options) => {
    const { from, to } = usageQuery(period, new Date());
    return lectern().analytics.usageBy({ by, page, limit: 20, ...(from && to ? { from, to } : {}) }, options);
  });
  return (
    <section className="stack" aria-labelledby="breakdown">
      <h2 id="breakdown">Tokens and cost</h2>
      <SelectField
        label="By"
        value={by}
        options={DIMENSIONS}
        hint="Counted by whole days in UTC."
        onChange={(chosen) => {
          paging.setPage(1);
          setDimension(DIMENSIONS.find(({ value }) => value === chosen));
        }}
      />
      <Listing paging={paging} what="tokens and cost" empty={<p className="muted">Nothing in this period.</p>}>
        {(items) => (
          <Table
            caption={`Usage by ${by}`}
            columns={columnsOf(dimension?.label ?? 'Model')}
            rows={items}
            keyOf={({ id }) => id}
          />
        )}
      </Listing>
    </section>
  );
}
