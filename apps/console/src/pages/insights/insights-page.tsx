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
import { language, t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Loading } from '#ui/loading.tsx';
import { numberText } from '#ui/number-text.ts';
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

const wholePercent = new Intl.NumberFormat(language(), { style: 'percent' });
const oneDigit = new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = (share: number | null) => (share === null ? '–' : wholePercent.format(share));
const rank = (value: number | null) => (value === null ? '–' : oneDigit.format(value));

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
        <PageHead title={t('insights.title')} />
        <NoAccess action={t('insights.cannotRead')} least="admin" right="analytics" />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('insights.title')} intro={t('insights.intro')}>
        <SelectField
          label={t('insights.period')}
          value={period.value}
          options={PERIODS}
          onChange={(chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0])}
        />
        <SelectField
          label={t('insights.collection')}
          value={collection}
          options={[
            { value: '', label: t('insights.allCollections') },
            ...collections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setCollection}
        />
      </PageHead>
      <QueryView query={report} what={t('insights.what')}>
        {(loaded) =>
          loaded.totals.searches === 0 && report.isPlaceholderData ? (
            <Loading what={t('insights.what')} />
          ) : loaded.totals.searches === 0 ? (
            <Empty title={t('insights.noSearches')}>
              <p>{t('insights.noSearchesHelp')}</p>
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
        <Metric name={t('insights.searches')} value={numberText(totals.searches)} />
        <Metric name={t('insights.withoutResults')} value={percent(totals.withoutResults / totals.searches)} />
        <Metric name={t('insights.clickThroughRate')} value={percent(totals.clickThroughRate)} />
        <Metric name={t('insights.meanClickedRank')} value={rank(totals.meanClickedRank)} />
      </dl>
      <div className="plots">
        <Plot
          title={t('insights.searches')}
          unit=""
          kind="bars"
          labels={labels}
          series={[
            {
              name: t('insights.withResults'),
              values: buckets.map(({ searches, withoutResults }) => searches - withoutResults),
            },
            { name: t('insights.withoutResults'), values: buckets.map(({ withoutResults }) => withoutResults) },
          ]}
        />
        <Plot
          title={t('insights.clickThroughRate')}
          unit="%"
          kind="lines"
          labels={labels}
          series={[
            {
              name: t('insights.searchesWithClick'),
              values: buckets.map(({ clickThroughRate: share }) => (share === null ? null : share * 100)),
            },
          ]}
        />
      </div>
      <TabSet
        label={t('insights.queries')}
        tabs={[
          { name: t('insights.topQueries'), content: <Queries filter={filter} withoutResults={false} /> },
          { name: t('insights.withoutResults'), content: <Queries filter={filter} withoutResults /> },
        ]}
      />
    </div>
  );
}

const searchFor = (query: string) => `/search?${new URLSearchParams({ q: query })}`;

const COLUMNS: readonly Column<SearchQuery>[] = [
  { name: t('insights.query'), cell: ({ query }) => <Link href={searchFor(query)}>{query}</Link> },
  { name: t('insights.searches'), isNumber: true, cell: ({ searches }) => numberText(searches) },
];

const TOP: readonly Column<SearchQuery>[] = [
  ...COLUMNS,
  { name: t('insights.clickThrough'), isNumber: true, cell: ({ clickThroughRate }) => percent(clickThroughRate) },
  { name: t('insights.meanClickedRank'), isNumber: true, cell: ({ meanClickedRank }) => rank(meanClickedRank) },
  { name: t('insights.lastSearch'), cell: ({ lastSearchedAt }) => <Ago time={lastSearchedAt} /> },
];

const WITHOUT_RESULTS: readonly Column<SearchQuery>[] = [
  ...COLUMNS,
  { name: t('insights.withoutResults'), isNumber: true, cell: ({ withoutResults }) => numberText(withoutResults) },
  { name: t('insights.resultsNow'), isNumber: true, cell: ({ lastResults }) => numberText(lastResults) },
  { name: t('insights.lastSearch'), cell: ({ lastSearchedAt }) => <Ago time={lastSearchedAt} /> },
  {
    name: '',
    cell: ({ query }) => (
      <Link
        href={`/synonyms?${new URLSearchParams({ add: query })}`}
        aria-label={t('insights.addSynonymFor', { query })}
      >
        {t('insights.addSynonym')}
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
      what={t('insights.whatQueries')}
      empty={<Empty title={t(withoutResults ? 'insights.allHadResults' : 'insights.noQueries')} />}
    >
      {(items) => (
        <Table
          caption={t(withoutResults ? 'insights.queriesWithoutResults' : 'insights.topQueries')}
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
