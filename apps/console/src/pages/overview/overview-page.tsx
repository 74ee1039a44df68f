import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { AdminMetrics } from '#pages/overview/admin-metrics.tsx';
import { attentionOf } from '#pages/overview/attention.ts';
import { MetricCard } from '#pages/overview/metric-card.tsx';
import { type Overview, readOverview } from '#pages/overview/read-overview.ts';
import { SetUp } from '#pages/overview/set-up.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { numberText } from '#ui/number-text.ts';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';

const REFRESH_MS = 15_000;

/** The state of the team's content: how much there is, what runs, and what needs a person. */
export default function OverviewPage() {
  const { person } = useSession();
  const mayReadSources = useAccess('editor', 'connectors');
  const mayReadDocuments = useAccess('editor', 'documents:read');
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => readOverview(signal),
    // What was changed on another page must be visible at once.
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    enabled: mayReadSources && mayReadDocuments,
  });
  return (
    <>
      <PageHead
        title={t('overview.title')}
        intro={person === null ? undefined : t('overview.welcome', { name: person.name })}
      />
      {mayReadSources && mayReadDocuments ? (
        <QueryView query={overview} what={t('overview.what')}>
          {(loaded) => <Loaded overview={loaded} />}
        </QueryView>
      ) : (
        <NoAccess
          action={t('overview.cannotRead')}
          least="editor"
          right={mayReadSources ? 'documents:read' : 'connectors'}
        />
      )}
    </>
  );
}

function Loaded({ overview }: { readonly overview: Overview }) {
  const { collections, collectionCount, connectors, connectorCount } = overview;
  const documents = collections.reduce((sum, { documentCount }) => sum + documentCount, 0);
  const failed = collections.reduce((sum, { failedCount }) => sum + failedCount, 0);
  const syncing = connectors.filter(({ status }) => status === 'syncing');
  const isComplete = collectionCount <= collections.length && connectorCount <= connectors.length;
  const atLeast = isComplete ? '' : '+';
  return (
    <>
      <ul className="metrics" aria-label={t('overview.summary')}>
        <MetricCard to="/collections" name={t('overview.documents')} value={`${numberText(documents)}${atLeast}`}>
          {t(failed === 0 ? 'overview.inCollections' : 'overview.inCollectionsWithFailed', {
            count: collectionCount,
            failed: `${numberText(failed)}${atLeast}`,
          })}
        </MetricCard>
        <MetricCard to="/connectors" name={t('overview.connectors')} value={numberText(connectorCount)}>
          {t('overview.syncing', { connectors: `${numberText(syncing.length)}${atLeast}` })}
        </MetricCard>
        <AdminMetrics />
      </ul>
      <SetUp hasDocuments={documents > 0} />
      <NeedsAttention overview={overview} isComplete={isComplete} />
      {syncing.length === 0 ? null : (
        <section className="stack" aria-labelledby="syncing">
          <h2 id="syncing">{t('overview.syncingNow')}</h2>
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

function NeedsAttention({ overview, isComplete }: { readonly overview: Overview; readonly isComplete: boolean }) {
  const items = attentionOf(overview);
  return (
    <section className="stack" aria-labelledby="attention">
      <h2 id="attention">{t('overview.attention')}</h2>
      {isComplete ? null : <p className="muted">{t('overview.onlyNewest')}</p>}
      {items.length === 0 ? <p className="muted">{t('overview.nothingWrong')}</p> : null}
      <ul className="plain-list">
        {items.map(({ to, name, text }) => (
          <li key={to} className="card">
            <h3>
              <Link href={to}>{name}</Link>
            </h3>
            <p className="break">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
