import type { Schemas } from '@lectern/sdk';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { ResultItem } from '#pages/test-cases/result-item.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Plot } from '#ui/plot/plot.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

type Run = Schemas['TestRun'];
type Shown = Schemas['TestOutcome'] | 'regression' | '';

const REFRESH_MS = 2_000;
const statusText = (status: Run['status']): string =>
  status === 'budget_exceeded' ? t('testCases.budgetExceeded') : t(`ui.statuses.${status}`);
const isActive = ({ status }: Run) => status === 'queued' || status === 'running';

const SHOWN: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: '', label: t('testCases.shown.all') },
  { value: 'regression', label: t('testCases.shown.regression') },
  { value: 'failed', label: t('testCases.shown.failed') },
  { value: 'error', label: t('testCases.shown.error') },
  { value: 'passed', label: t('testCases.shown.passed') },
];

const filterOf = (shown: Shown) => {
  if (shown === 'regression') return { regression: true };
  return shown === '' ? {} : { outcome: shown };
};

/** The trend of the runs, and the results of one of them. */
export function RunsPanel() {
  const [chosen, setChosen] = useState<string>();
  const paging = usePaged(
    ['test-runs'],
    (page, options) => lectern().testCases.listRuns({ page, limit: 30 }, options),
    {
      refresh: { everyMs: REFRESH_MS, while: (runs) => runs.some(isActive) },
    },
  );
  const start = useChange(
    () => lectern().testCases.run(),
    ['test-runs'],
    ({ id }) => setChosen(id),
  );
  return (
    <section className="stack" aria-label={t('testCases.runs')}>
      <div className="row">
        <Button isPrimary isBusy={start.isPending} onClick={() => start.mutate()}>
          {t('testCases.runNow')}
        </Button>
      </div>
      {start.error ? <ErrorNotice error={start.error} /> : null}
      <Listing
        paging={paging}
        what={t('testCases.what.runs')}
        empty={
          <Empty title={t('testCases.noResults')}>
            <p>{t('testCases.noResultsHint')}</p>
          </Empty>
        }
      >
        {(runs) => {
          const run = runs.find(({ id }) => id === chosen) ?? runs[0];
          return (
            <>
              <Trend runs={runs} />
              <div className="row">
                <SelectField
                  label={t('testCases.run')}
                  value={run?.id ?? ''}
                  options={runs.map(({ id, createdAt, status }) => ({
                    value: id,
                    label: `${dateTimeText(createdAt)} · ${statusText(status)}`,
                  }))}
                  onChange={setChosen}
                />
              </div>
              {run === undefined ? null : <RunView key={run.id} run={run} />}
            </>
          );
        }}
      </Listing>
    </section>
  );
}

const share = ({ passed, failed, errors }: Run) => {
  const asked = passed + failed + errors;
  return asked === 0 ? null : (passed / asked) * 100;
};

function Trend({ runs }: { readonly runs: readonly Run[] }) {
  const ended = runs.filter((run) => run.status === 'completed').toReversed();
  if (ended.length < 2) return null;
  const labels = ended.map(({ createdAt }) => dateTimeText(createdAt));
  return (
    <div className="plots">
      <Plot
        title={t('testCases.plots.passedTitle')}
        unit="%"
        kind="lines"
        labels={labels}
        series={[
          { name: t('testCases.plots.passed'), values: ended.map(share) },
          {
            name: t('testCases.plots.confidence'),
            values: ended.map(({ meanConfidence }) => (meanConfidence === null ? null : meanConfidence * 100)),
          },
        ]}
      />
      <Plot
        title={t('testCases.plots.notPassedTitle')}
        unit=""
        kind="bars"
        labels={labels}
        series={[
          { name: t('testCases.plots.failed'), values: ended.map(({ failed, regressions }) => failed - regressions) },
          { name: t('testCases.plots.errors'), values: ended.map(({ errors }) => errors) },
          { name: t('testCases.plots.regressions'), values: ended.map(({ regressions }) => regressions) },
        ]}
      />
    </div>
  );
}

function RunView({ run }: { readonly run: Run }) {
  const [shown, setShown] = useState<Shown>(run.regressions > 0 ? 'regression' : '');
  const cancel = useChange(() => lectern().testCases.cancelRun(run.id), ['test-runs', 'test-results']);
  const asked = run.passed + run.failed + run.errors;
  const paging = usePaged(['test-results', run.id, shown, asked], (page, options) =>
    lectern().testCases.results(run.id, { page, limit: 20, ...filterOf(shown) }, options),
  );
  const counts = [
    t('testCases.passedOf', { passed: run.passed, total: run.total }),
    ...(run.regressions === 0 ? [] : [t('testCases.regressions', { count: run.regressions })]),
    ...(run.errors === 0 ? [] : [t('testCases.errors', { count: run.errors })]),
    t('testCases.tokens', { tokens: run.promptTokens + run.completionTokens }),
  ];
  return (
    <section className="stack" aria-label={t('testCases.results')}>
      <div className="row row-apart">
        <p className="grow" role="status">
          <StatusBadge status={run.status} label={statusText(run.status)} /> {counts.join(' · ')} ·{' '}
          <Ago time={run.createdAt} />
        </p>
        {isActive(run) ? (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('ui.cancel')}
          </Button>
        ) : null}
      </div>
      {run.error === null ? null : <p className="notice notice-error">{run.error}</p>}
      {cancel.error ? <ErrorNotice error={cancel.error} /> : null}
      <div className="row">
        <SelectField
          label={t('testCases.show')}
          value={shown}
          options={SHOWN}
          onChange={(value) => setShown(SHOWN.find((option) => option.value === value)?.value ?? '')}
        />
      </div>
      <Listing
        paging={paging}
        what={t('testCases.what.results')}
        empty={<Empty title={t('testCases.nothingToShow')} />}
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((result) => (
              <ResultItem key={result.testCaseId} result={result} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}
