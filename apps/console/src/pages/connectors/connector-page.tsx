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
import { SourceLogo } from '#pages/connectors/source-logo.tsx';
import { SyncPanel } from '#pages/connectors/sync-panel.tsx';
import { DocumentTable } from '#pages/documents/document-table.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** A connector with its status, syncs, documents, files and settings. */
export default function ConnectorPage({ id }: { readonly id: string }) {
  const record = useQuery({
    queryKey: ['connectors', id],
    queryFn: ({ signal }) => lectern().connectors.get(id, { signal }),
  });
  return (
    <QueryView query={record} title={t('connectors.title')} what={t('connectors.what.connector')}>
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
      <PageHead title={name} parent={{ to: '/connectors', label: t('connectors.title') }} intro={spec?.about}>
        {spec?.isOAuth ? (
          <Button isBusy={authorize.isPending} onClick={() => authorize.mutate()}>
            {t(status === 'pending_auth' ? 'connectors.authorize' : 'connectors.reauthorize')}
          </Button>
        ) : null}
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {t('connectors.testConnection')}
        </Button>
        <Confirm
          label={t('connectors.delete')}
          question={t('connectors.deleteQuestion', { name })}
          done={t('connectors.deleted', { name })}
          mutation={remove}
        >
          <p>{t('connectors.deleteHint')}</p>
        </Confirm>
      </PageHead>
      <p className="row muted">
        <SourceLogo type={type} />
        <StatusBadge status={status} />
        <span>
          <RichText
            name="connectors.summary"
            values={{ type: spec?.label ?? type }}
            elements={{ collection: <Link href={`/collections/${collection}`} />, ago: <Ago time={lastSync} /> }}
          />
        </span>
      </p>
      {statusReason ? (
        <p className="notice notice-error" role="alert">
          {statusReason}
        </p>
      ) : null}
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {authorize.error ? <ErrorNotice error={authorize.error} /> : null}
      {test.data ? <ReportView report={test.data} type={connector.type} /> : null}
      <SyncPanel connector={connector} />
      <TabSet
        label={t('connectors.connector')}
        tabs={[
          { name: t('connectors.tabs.jobs'), content: <JobHistory connectorId={id} /> },
          {
            name: t('connectors.tabs.documents'),
            content: (
              <DocumentTable name={id} read={(query, options) => lectern().documents.ofConnector(id, query, options)} />
            ),
          },
          ...(spec?.acceptsItems
            ? [
                { name: t('connectors.tabs.items'), content: <ItemsPanel connectorId={id} /> },
                { name: t('connectors.tabs.setUp'), content: <PushGuide connectorId={id} /> },
              ]
            : []),
          ...(spec?.acceptsFiles
            ? [{ name: t('connectors.tabs.files'), content: <FilesPanel connectorId={id} /> }]
            : []),
          { name: t('connectors.tabs.settings'), content: <EditForm connector={connector} /> },
        ]}
      />
    </>
  );
}
