import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { attentionOf } from '#pages/overview/attention.ts';
import { type Overview, readOverview } from '#pages/overview/read-overview.ts';
import { SetUp } from '#pages/overview/set-up.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess, useRole, useSession } from '#session/session.ts';
import { moneyText } from '#ui/money-text.ts';
import { PageHead } from '#ui/page-head.tsx';
import { plural } from '#ui/plural.ts';
import { QueryView } from '#ui/query-view.tsx';

const REFRESH_MS = 15_000;

/** The state of the team's content: how much there is, what runs, and what needs a person. */
export default function OverviewPage() {
  const { person } = useSession();
  const mayRead = useRole('editor');
  const readsAnalytics = useAccess('admin', 'analytics');
  const managesPeople = useAccess('admin', 'keys');
  const overview = useQuery({
    queryKey: ['overview', readsAnalytics, managesPeople],
    queryFn: ({ signal }) => readOverview({ readsAnalytics, managesPeople }, signal),
    refetchInterval: REFRESH_MS,
    enabled: mayRead,
  });
  return (
    <>
      <PageHead title="Overview" intro={person === null ? undefined : `Welcome, ${person.name}.`} />
      {mayRead ? (
        <QueryView query={overview} what="the overview">
          {(loaded) => <Loaded overview={loaded} />}
        </QueryView>
      ) : (
        <NoAccess action="read the overview" least="editor" right="connectors" />
      )}
    </>
  );
}

function Loaded({ overview }: { readonly overview: Overview }) {
  const { collections, collectionCount, connectors, connectorCount, quality } = overview;
  const documents = collections.reduce((sum, { documentCount }) => sum + documentCount, 0);
  const failed = collections.reduce((sum, { failedCount }) => sum + failedCount, 0);
  const syncing = connectors.filter(({ status }) => status === 'syncing');
  const attention = attentionOf(overview);
  return (
    <>
      <ul className="metric-cards" aria-label="Numbers">
        <MetricCard
          to="/collections"
          name="Documents"
          value={`${number(documents)}${collectionCount > collections.length ? '+' : ''}`}
        >
          in {plural(collectionCount, 'collection')}
          {failed === 0 ? '' : `, ${number(failed)} failed`}
        </MetricCard>
        <MetricCard to="/connectors" name="Connectors" value={number(connectorCount)}>
          {syncing.length === 0 ? 'none syncing' : `${number(syncing.length)} syncing`}
        </MetricCard>
        {quality === undefined ? null : (
          <>
            <MetricCard to="/questions" name="Questions to review" value={number(quality.openQuestions)}>
              unanswered, unsure or rated down
            </MetricCard>
            <MetricCard to="/usage" name="Cost this month" value={moneyText(quality.cost)}>
              for {plural(quality.replies, 'answer')}
            </MetricCard>
          </>
        )}
      </ul>
      <SetUp overview={overview} />
      <section className="stack" aria-labelledby="attention">
        <h2 id="attention">Needs attention</h2>
        {attention.length === 0 ? (
          <p className="muted">Nothing: all sources and documents are fine.</p>
        ) : (
          <ul className="plain-list">
            {attention.map(({ to, name, text }) => (
              <li key={to} className="card">
                <h3>
                  <Link href={to}>{name}</Link>
                </h3>
                <p className="break">{text}</p>
              </li>
            ))}
          </ul>
        )}
      </section>
      {syncing.length === 0 ? null : (
        <section className="stack" aria-labelledby="syncing">
          <h2 id="syncing">Syncing now</h2>
          <ul className="plain-list">
            {syncing.map(({ id, name }) => (
              <li key={id} className="card">
                <Link href={`/connectors/${id}`}>{name}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const number = (value: number) => value.toLocaleString('en');

function MetricCard({
  to,
  name,
  value,
  children,
}: {
  readonly to: string;
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="card">
      <Link href={to} className="muted small">
        {name}
      </Link>
      <p className="metric-value">{value}</p>
      <p className="muted small">{children}</p>
    </li>
  );
}
