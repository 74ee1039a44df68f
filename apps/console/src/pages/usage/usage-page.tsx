import type { Schemas } from '@lectern/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { PERIODS, placeText, usageQuery } from '#pages/usage/periods.ts';
import { useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Plot } from '#ui/plot/plot.tsx';
import { QueryView } from '#ui/query-view.tsx';

type Report = Schemas['UsageReport'];

/** How much Lectern is used, how fast it answers, and how often it fails. */
export default function UsagePage() {
  const mayRead = useSession().allow_all_collections;
  const [period, setPeriod] = useState(PERIODS[0]);
  const usage = useQuery({
    queryKey: ['usage', period.value],
    queryFn: ({ signal }) => lectern().analytics.usage(usageQuery(period, new Date()), { signal }),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  });
  if (!mayRead) {
    return (
      <>
        <PageHead title="Usage" />
        <Empty title="This key may not read the team's usage">
          <p>Sign in with a key that reaches all collections.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Usage" intro="What the keys of the team were used for, and how long answers took.">
        <SelectField
          label="Period"
          value={period.value}
          options={PERIODS}
          onChange={(chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0])}
        />
        <Button isBusy={usage.isFetching} onClick={() => void usage.refetch()}>
          Read again
        </Button>
      </PageHead>
      <QueryView query={usage} what="the usage">
        {(report) =>
          report.totals.requests === 0 ? (
            <Empty title="Nothing was asked in this time">
              <p>Choose a longer period, or come back once Lectern is used.</p>
            </Empty>
          ) : (
            <Figures report={report} />
          )
        }
      </QueryView>
    </>
  );
}

function Figures({ report: { buckets, totals, interval } }: { readonly report: Report }) {
  const places = buckets.map(({ startAt }) => placeText(startAt, interval));
  const errorPercent = ((totals.errors / totals.requests) * 100).toFixed(1);
  const ms = (value: number | null) => (value === null ? '–' : `${Math.round(value).toLocaleString('en')} ms`);
  const totalTokens = totals.promptTokens + totals.completionTokens;
  return (
    <>
      <dl className="figures">
        <Figure name="Requests" value={totals.requests.toLocaleString('en')} />
        <Figure name="Errors" value={`${errorPercent} %`} />
        <Figure name="Half answered within" value={ms(totals.p50Ms)} />
        <Figure name="95 % answered within" value={ms(totals.p95Ms)} />
        <Figure name="Tokens" value={totalTokens.toLocaleString('en')} />
      </dl>
      <div className="plots">
        <Plot
          title="Requests"
          unit=""
          kind="bars"
          places={places}
          series={[
            { name: 'Answered', values: buckets.map(({ requests, errors }) => requests - errors) },
            { name: 'Errors', values: buckets.map(({ errors }) => errors) },
          ]}
        />
        <Plot
          title="Time until an answer began"
          unit="ms"
          kind="lines"
          places={places}
          series={[
            { name: 'Median', values: buckets.map(({ p50Ms }) => p50Ms) },
            { name: '95th percentile', values: buckets.map(({ p95Ms }) => p95Ms) },
          ]}
        />
        <Plot
          title="What was asked"
          unit=""
          kind="bars"
          places={places}
          series={[
            { name: 'Searches', values: buckets.map(({ searches }) => searches) },
            { name: 'Chats', values: buckets.map(({ chats }) => chats) },
            { name: 'Runs of agents', values: buckets.map(({ agentRuns }) => agentRuns) },
          ]}
        />
        <Plot
          title="Tokens"
          unit=""
          kind="bars"
          places={places}
          series={[
            { name: 'Read', values: buckets.map(({ promptTokens }) => promptTokens) },
            { name: 'Written', values: buckets.map(({ completionTokens }) => completionTokens) },
          ]}
        />
      </div>
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="card">
      <dt className="muted small">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
