import type { Query } from '@lectern/sdk';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { UsageItem } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { type Period, usageQuery } from '#pages/usage/periods.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { moneyText } from '#ui/money-text.ts';
import { numberText } from '#ui/number-text.ts';
import { type Column, Table } from '#ui/table.tsx';

type Dimension = NonNullable<Query<'getUsageBreakdown'>['by']>;

const DIMENSIONS: readonly { readonly value: Dimension; readonly label: string }[] = [
  { value: 'model', label: t('usage.dimensions.model') },
  { value: 'person', label: t('usage.dimensions.person') },
  { value: 'key', label: t('usage.dimensions.key') },
];
const ms = (value: number | null) => (value === null ? '–' : `${numberText(Math.round(value))} ms`);

const columnsOf = (name: string): readonly Column<UsageItem>[] => [
  { name, cell: (item) => item.name },
  { name: t('usage.requests'), isNumber: true, cell: ({ requests }) => numberText(requests) },
  { name: t('usage.errors'), isNumber: true, cell: ({ errors }) => numberText(errors) },
  { name: t('usage.medianLatency'), isNumber: true, cell: ({ p50Ms }) => ms(p50Ms) },
  { name: t('usage.percentile95'), isNumber: true, cell: ({ p95Ms }) => ms(p95Ms) },
  { name: t('usage.inputTokens'), isNumber: true, cell: ({ promptTokens }) => numberText(promptTokens) },
  { name: t('usage.outputTokens'), isNumber: true, cell: ({ completionTokens }) => numberText(completionTokens) },
  { name: t('usage.cost'), isNumber: true, cell: ({ cost }) => moneyText(cost) },
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
      <h2 id="breakdown">{t('usage.breakdown')}</h2>
      <SelectField
        label={t('usage.by')}
        value={by}
        options={DIMENSIONS}
        hint={t('usage.wholeDays')}
        onChange={(chosen) => {
          paging.setPage(1);
          setDimension(DIMENSIONS.find(({ value }) => value === chosen));
        }}
      />
      <Listing paging={paging} what={t('usage.whatBreakdown')} empty={<p className="muted">{t('usage.nothing')}</p>}>
        {(items) => (
          <Table
            caption={t(`usage.captions.${by}`)}
            columns={columnsOf(dimension?.label ?? t('usage.dimensions.model'))}
            rows={items}
            keyOf={({ id }) => id}
          />
        )}
      </Listing>
    </section>
  );
}
