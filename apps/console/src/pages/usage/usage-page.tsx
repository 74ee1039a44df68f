import type { Schemas } from '@lectern/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { Breakdown } from '#pages/usage/breakdown.tsx';
import { bucketLabel, PERIODS, usageQuery } from '#pages/usage/periods.ts';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Plot } from '#ui/plot/plot.tsx';
import { QueryView } from '#ui/query-view.tsx';

type Report = Schemas['UsageReport'];

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
        <PageHead title="Usage" />
        <NoAccess action="read usage data" least="admin" right="analytics" />
      </>
    );
  }
  return (
    <>
      <PageHead title="Usage" intro="Requests, latency and tokens of the team.">
        <SelectField
          label="Period"
          value={period.value}
          options={PERIODS}
          onChange={(chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0])}
        />
        <Button isBusy={usage.isFetching} onClick={() => void usage.refetch()}>
          Refresh
        </Button>
      </PageHead>
      <QueryView query={usage} what="usage data">
        {(report) =>
          report.totals.requests === 0 && usage.isPlaceholderData ? (
            <Loading what="usage data" />
          ) : report.totals.requests === 0 ? (
            <Empty title="No requests in this period">
              <p>Choose a longer period.</p>
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
  const errorPercent = ((totals.errors / totals.requests) * 100).toFixed(1);
  const ms = (value: number | null) => (value === null ? '–' : `${Math.round(value).toLocaleString('en')} ms`);
  const totalTokens = totals.promptTokens + totals.completionTokens;
  return (
    <>
      <dl className="metrics">
        <Metric name="Requests" value={totals.requests.toLocaleString('en')} />
        <Metric name="Errors" value={`${errorPercent}%`} />
        <Metric name="Median latency" value={ms(totals.p50Ms)} />
        <Metric name="95th percentile latency" value={ms(totals.p95Ms)} />
        <Metric name="Tokens" value={totalTokens.toLocaleString('en')} />
      </dl>
      <div className="plots">
        <Plot
          title="Requests"
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: 'Successful', values: buckets.map(({ requests, errors }) => requests - errors) },
            { name: 'Errors', values: buckets.map(({ errors }) => errors) },
          ]}
        />
        <Plot
          title="Time to first byte"
          unit="ms"
          kind="lines"
          labels={labels}
          series={[
            { name: 'Median', values: buckets.map(({ p50Ms }) => p50Ms) },
            { name: '95th percentile', values: buckets.map(({ p95Ms }) => p95Ms) },
          ]}
        />
        <Plot
          title="Requests by type"
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: 'Searches', values: buckets.map(({ searches }) => searches) },
            { name: 'Chats', values: buckets.map(({ chats }) => chats) },
            { name: 'Agent runs', values: buckets.map(({ agentRuns }) => agentRuns) },
          ]}
        />
        <Plot
          title="Tokens"
          unit=""
          kind="bars"
          labels={labels}
          series={[
            { name: 'Input', values: buckets.map(({ promptTokens }) => promptTokens) },
            { name: 'Output', values: buckets.map(({ completionTokens }) => completionTokens) },
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
