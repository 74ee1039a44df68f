import type { Schemas } from '@lectern/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { bucketLabel, PERIODS, usageQuery } from '#pages/usage/periods.ts';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Plot } from '#ui/plot/plot.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TabSet } from '#ui/tabs.tsx';

type Report = Schemas['SearchReport'];
type SearchQuery = Schemas['SearchQuery'];

interface Filter {
  readonly from: string;
  readonly to: string;
  readonly collection?: string;
}

const percent = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)}%`);
const rank = (value: number | null) => (value === null ? '–' : value.toFixed(1));

/** What people search for, what they do not find, and what they open. */
export default function InsightsPage() {
  const canRead = useAccess('admin', 'analytics');
  const [period, setPeriod] = useState(PERIODS[1] ?? PERIODS[0]);
  const [collection, setCollection] = useState('');
  const { data: collections = [] } = useCollections();
  const range = usageQuery(period, new Date());
  const filter = {
    from: range.from ?? '',
    to: range.to ?? '',
    ...(collection === '' ? {} : { collection }),
  };
  const report = useQuery({
    queryKey: ['search-analytics', filter],
    queryFn: ({ signal }) => lectern().analytics.searches({ ...filter, interval: period.interval }, { signal }),
    placeholderData: keepPreviousData,
    enabled: canRead,
  });
  if (!canRead) {
    return (
      <>
        <PageHead title="Search insights" />
        <NoAccess action="read search analytics" least="admin" right="analytics" />
      </>
    );
  }
  return (
    <>
      <PageHead title="Search insights" intro="What people search for, and whether they find it.">
        <SelectField
          label="Period"
          value={period.value}
          options={PERIODS}
          onChange={(chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0])}
        />
        <SelectField
          label="Collection"
          value={collection}
          options={[{ value: '', label: 'All' }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={setCollection}
        />
      </PageHead>
      <QueryView query={report} what="search analytics">
        {(loaded) =>
          loaded.totals.searches === 0 && report.isPlaceholderData ? (
            <Loading what="search analytics" />
          ) : loaded.totals.searches === 0 ? (
            <Empty title="No searches in this period">
              <p>Searches appear a few seconds after people make them.</p>
            </Empty>
          ) : (
            <Insights report={loaded} filter={filter} />
          )
        }
      </QueryView>
    </>
  );
}

function Insights({ report, filter }: { readonly report: Report; readonly filter: Filter }) {
  const { buckets, totals, interval } = report;
  const labels = buckets.map(({ startAt }) => bucketLabel(startAt, interval));
  return (
    <div className="stack">
      <dl className="metrics">
        <Metric name="Searches" value={totals.searches.toLocaleString('en')} />
        <Metric name="Without results" value={percent(totals.withoutResults / totals.searches)} />
        <Metric name="Click-through rate" value={percent(totals.clickThroughRate)} />
        <Metric name="Mean clicked rank" value={rank(totals.meanClickedRank)} />
      </dl>
      <div className="plots">
        <Plot
          title="Searches"
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: 'With results', values: buckets.map(({ searches, withoutResults }) => searches - withoutResults) },
            { name: 'Without results', values: buckets.map(({ withoutResults }) => withoutResults) },
          ]}
        />
        <Plot
          title="Click-through rate"
          unit="%"
          kind="lines"
          labels={labels}
          series={[
            {
              name: 'Searches with a click',
              values: buckets.map(({ clickThroughRate: share }) => (share === null ? null : share * 100)),
            },
          ]}
        />
      </div>
      <TabSet
        label="Queries"
        tabs={[
          { name: 'Top queries', content: <Queries filter={filter} withoutResults={false} /> },
          { name: 'Without results', content: <Queries filter={filter} withoutResults /> },
        ]}
      />
    </div>
  );
}

const searchFor = (query: string) => `/search?${new URLSearchParams({ q: query })}`;

const COLUMNS: readonly Column<SearchQuery>[] = [
  { name: 'Query', cell: ({ query }) => <Link href={searchFor(query)}>{query}</Link> },
  { name: 'Searches', isNumber: true, cell: ({ searches }) => searches.toLocaleString('en') },
];

const TOP: readonly Column<SearchQuery>[] = [
  ...COLUMNS,
  { name: 'Click-through', isNumber: true, cell: ({ clickThroughRate }) => percent(clickThroughRate) },
  { name: 'Mean clicked rank', isNumber: true, cell: ({ meanClickedRank }) => rank(meanClickedRank) },
  { name: 'Last search', cell: ({ lastSearchedAt }) => <Ago time={lastSearchedAt} /> },
];

const WITHOUT_RESULTS: readonly Column<SearchQuery>[] = [
  ...COLUMNS,
  { name: 'Without results', isNumber: true, cell: ({ withoutResults }) => withoutResults.toLocaleString('en') },
  { name: 'Results now', isNumber: true, cell: ({ lastResults }) => lastResults.toLocaleString('en') },
  { name: 'Last search', cell: ({ lastSearchedAt }) => <Ago time={lastSearchedAt} /> },
  {
    name: '',
    cell: ({ query }) => (
      <Link href={`/synonyms?${new URLSearchParams({ add: query })}`} aria-label={`Add a synonym for ${query}`}>
        Add synonym
      </Link>
    ),
  },
];

function Queries({ filter, withoutResults }: { readonly filter: Filter; readonly withoutResults: boolean }) {
  const paging = usePaged(['search-queries', filter, withoutResults], (page, options) =>
    lectern().analytics.queries(
      { ...filter, page, limit: 20, ...(withoutResults ? { withoutResults: true } : {}) },
      options,
    ),
  );
  return (
    <Listing
      paging={paging}
      what="queries"
      empty={<Empty title={withoutResults ? 'Every query had results' : 'No queries to show'} />}
    >
      {(items) => (
        <Table
          caption={withoutResults ? 'Queries without results' : 'Top queries'}
          columns={withoutResults ? WITHOUT_RESULTS : TOP}
          rows={items}
          keyOf={({ query }) => query}
        />
      )}
    </Listing>
  );
}

function Metric({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="card">
      <dt className="muted small">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
