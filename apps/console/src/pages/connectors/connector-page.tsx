import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { call } from '#api/request.ts';
import type { ConnectionReport, Connector } from '#api/types.ts';
import { beginOAuth } from '#pages/connectors/begin-oauth.ts';
import { typeSpec } from '#pages/connectors/connector-fields.ts';
import { EditForm } from '#pages/connectors/edit-form.tsx';
import { JobHistory } from '#pages/connectors/job-history.tsx';
import { ReportView } from '#pages/connectors/report-view.tsx';
import { SyncPanel } from '#pages/connectors/sync-panel.tsx';
import { DocumentTable } from '#pages/documents/document-table.tsx';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** A connector: its state, its syncs, its documents and its settings. */
export default function ConnectorPage({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const path = `/api/v1/connectors/${id}`;
  const record = useQuery({
    queryKey: ['connectors', id],
    queryFn: ({ signal }) => call<Connector>('GET', path, { signal }),
  });
  const test = useMutation({
    mutationFn: () => call<ConnectionReport>('POST', `${path}/test`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['connectors'] }),
  });
  const authorise = useMutation({ mutationFn: (type: string) => beginOAuth(type, { connectorId: id }) });
  if (record.error) return <ErrorNotice error={record.error} onRetry={() => record.refetch()} />;
  if (record.data === undefined) return <Loading what="the connector" />;
  const connector = record.data;
  const spec = typeSpec(connector.type);

  return (
    <>
      <PageHead title={connector.name} intro={spec?.about}>
        {spec?.isOAuth ? (
          <Button isBusy={authorise.isPending} onClick={() => authorise.mutate(connector.type)}>
            {connector.status === 'pending_auth' ? 'Authorise' : 'Authorise again'}
          </Button>
        ) : null}
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Test the connection
        </Button>
        <Confirm
          label="Delete"
          question={`Delete “${connector.name}” with its documents?`}
          action={() => call('DELETE', path)}
          onDone={() => {
            navigate('/connectors');
            void queryClient.invalidateQueries({ queryKey: ['connectors'] });
          }}
        >
          <p>Its documents leave the index. The source itself is not touched.</p>
        </Confirm>
      </PageHead>
      <p className="row muted">
        <StatusBadge status={connector.status} />
        <span>
          {spec?.label ?? connector.type} into <Link href={`/collections/${connector.collection}`}>its collection</Link>
          , synced <Ago time={connector.lastSync} />
        </span>
      </p>
      {connector.statusReason ? (
        <p className="notice notice-error" role="alert">
          {connector.statusReason}
        </p>
      ) : null}
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {authorise.error ? <ErrorNotice error={authorise.error} /> : null}
      {test.data ? <ReportView report={test.data} /> : null}
      <SyncPanel connector={connector} />
      <TabSet
        label="Connector"
        tabs={[
          { name: 'Jobs', content: <JobHistory connectorId={id} /> },
          { name: 'Documents', content: <DocumentTable path={`${path}/documents`} /> },
          { name: 'Settings', content: <EditForm connector={connector} /> },
        ]}
      />
    </>
  );
}
