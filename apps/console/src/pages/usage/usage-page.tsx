import type { Schemas } from '@lectern/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { Breakdown } from '#pages/usage/breakdown.tsx';
import { bucketLabel, PERIODS, usageQuery } from '#pages/usage/periods.ts';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { language, t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { numberText } from '#ui/number-text.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Plot } from '#ui/plot/plot.tsx';
import { QueryView } from '#ui/query-view.tsx';

type Report = Schemas['UsageReport'];

const percent = new Intl.NumberFormat(language(), {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Usage, latency and errors. */
export default function UsagePage() {
  const canRead = useAccess('admin', 'analytics');
  const [period, setPeriod] = useState(PERIODS[0]);
  const usage = useQuery({
    queryKey: ['usage', period.value],
    queryFn: ({ signal }) => lectern().analytics.usage(usageQuery(period, new Date()), { signal }),
    placeholderData: keepPreviousData,
    enabled: canRead,
  });
  if (!canRead) {
    return (
      <>
        <PageHead title={t('usage.title')} />
        <NoAccess action={t('usage.cannotRead')} least="admin" right="analytics" />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('usage.title')} intro={t('usage.intro')}>
        <SelectField
          label={t('usage.period')}
          value={period.value}
          options={PERIODS}
          onChange={(chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0])}
        />
        <Button isBusy={usage.isFetching} onClick={() => void usage.refetch()}>
          {t('usage.refresh')}
        </Button>
      </PageHead>
      <QueryView query={usage} what={t('usage.what')}>
        {(report) =>
          report.totals.requests === 0 && usage.isPlaceholderData ? (
            <Loading what={t('usage.what')} />
          ) : report.totals.requests === 0 ? (
            <Empty title={t('usage.noRequests')}>
              <p>{t('usage.chooseLonger')}</p>
            </Empty>
          ) : (
            <>
              <Metrics report={report} />
              <Breakdown period={period} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function Metrics({ report: { buckets, totals, interval } }: { readonly report: Report }) {
  const labels = buckets.map(({ startAt }) => bucketLabel(startAt, interval));
  const errorShare = percent.format(totals.errors / totals.requests);
  const ms = (value: number | null) => (value === null ? '–' : `${numberText(Math.round(value))} ms`);
  const totalTokens = totals.promptTokens + totals.completionTokens;
  return (
    <>
      <dl className="metrics">
        <Metric name={t('usage.requests')} value={numberText(totals.requests)} />
        <Metric name={t('usage.errors')} value={errorShare} />
        <Metric name={t('usage.medianLatency')} value={ms(totals.p50Ms)} />
        <Metric name={t('usage.percentile95Latency')} value={ms(totals.p95Ms)} />
        <Metric name={t('usage.tokens')} value={numberText(totalTokens)} />
      </dl>
      <div className="plots">
        <Plot
          title={t('usage.requests')}
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: t('usage.successful'), values: buckets.map(({ requests, errors }) => requests - errors) },
            { name: t('usage.errors'), values: buckets.map(({ errors }) => errors) },
          ]}
        />
        <Plot
          title={t('usage.timeToFirstByte')}
          unit="ms"
          kind="lines"
          labels={labels}
          series={[
            { name: t('usage.median'), values: buckets.map(({ p50Ms }) => p50Ms) },
            { name: t('usage.percentile95'), values: buckets.map(({ p95Ms }) => p95Ms) },
          ]}
        />
        <Plot
          title={t('usage.requestsByType')}
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: t('usage.searches'), values: buckets.map(({ searches }) => searches) },
            { name: t('usage.chats'), values: buckets.map(({ chats }) => chats) },
            { name: t('usage.agentRuns'), values: buckets.map(({ agentRuns }) => agentRuns) },
          ]}
        />
        <Plot
          title={t('usage.tokens')}
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: t('usage.input'), values: buckets.map(({ promptTokens }) => promptTokens) },
            { name: t('usage.output'), values: buckets.map(({ completionTokens }) => completionTokens) },
          ]}
        />
      </div>
    </>
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
