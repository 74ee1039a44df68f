import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { Connector } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { beginOAuth } from '#pages/connectors/begin-oauth.ts';
import { typeSpec } from '#pages/connectors/connector-fields.ts';
import { EditForm } from '#pages/connectors/edit-form.tsx';
import { FilesPanel } from '#pages/connectors/files-panel.tsx';
import { ItemsPanel } from '#pages/connectors/items-panel.tsx';
import { JobHistory } from '#pages/connectors/job-history.tsx';
import { PushGuide } from '#pages/connectors/push-guide.tsx';
import { ReportView } from '#pages/connectors/report-view.tsx';
import { SyncPanel } from '#pages/connectors/sync-panel.tsx';
import { DocumentTable } from '#pages/documents/document-table.tsx';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** A connector with its status, syncs, documents, files and settings. */
export default function ConnectorPage({ id }: { readonly id: string }) {
  const record = useQuery({
    queryKey: ['connectors', id],
    queryFn: ({ signal }) => lectern().connectors.get(id, { signal }),
  });
  return (
    <QueryView query={record} what="the connector">
      {(connector) => <Loaded connector={connector} />}
    </QueryView>
  );
}

function Loaded({ connector }: { readonly connector: Connector }) {
  const { id, name, type, status, statusReason, collection, lastSync } = connector;
  const [, navigate] = useLocation();
  const spec = typeSpec(type);
  const test = useChange(() => lectern().connectors.test(id), ['connectors']);
  const authorize = useChange(() => beginOAuth(type, { connectorId: id }), []);
  const remove = useChange(
    () => lectern().connectors.delete(id),
    ['connectors', 'collections', 'documents', 'search'],
    () => navigate('/connectors'),
  );
  return (
    <>
      <PageHead title={name} parent={{ to: '/connectors', label: 'Connectors' }} intro={spec?.about}>
        {spec?.isOAuth ? (
          <Button isBusy={authorize.isPending} onClick={() => authorize.mutate()}>
            {status === 'pending_auth' ? 'Authorize' : 'Reauthorize'}
          </Button>
        ) : null}
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Test connection
        </Button>
        <Confirm
          label="Delete"
          question={`Delete “${name}” and its documents?`}
          done={`“${name}” is deleted.`}
          mutation={remove}
        >
          <p>This deletes its documents from the index. The source does not change. This cannot be undone.</p>
        </Confirm>
      </PageHead>
      <p className="row muted">
        <StatusBadge status={status} />
        <span>
          {spec?.label ?? type} · <Link href={`/collections/${collection}`}>View collection</Link> · Last successful
          sync: <Ago time={lastSync} />
        </span>
      </p>
      {statusReason ? (
        <p className="notice notice-error" role="alert">
          {statusReason}
        </p>
      ) : null}
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {authorize.error ? <ErrorNotice error={authorize.error} /> : null}
      {test.data ? <ReportView report={test.data} /> : null}
      <SyncPanel connector={connector} />
      <TabSet
        label="Connector"
        tabs={[
          { name: 'Jobs', content: <JobHistory connectorId={id} /> },
          {
            name: 'Documents',
            content: (
              <DocumentTable name={id} read={(query, options) => lectern().documents.ofConnector(id, query, options)} />
            ),
          },
          ...(spec?.acceptsItems
            ? [
                { name: 'Items', content: <ItemsPanel connectorId={id} /> },
                { name: 'Set up', content: <PushGuide connectorId={id} /> },
              ]
            : []),
          ...(spec?.acceptsFiles ? [{ name: 'Files', content: <FilesPanel connectorId={id} /> }] : []),
          { name: 'Settings', content: <EditForm connector={connector} /> },
        ]}
      />
    </>
  );
}
