import { AuditList } from '#pages/audit/audit-list.tsx';
import { EventList } from '#pages/audit/event-list.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The audit log and the recorded events. */
export default function AuditPage() {
  const canRead = useAccess('admin', 'keys');
  if (!canRead) {
    return (
      <>
        <PageHead title={t('audit.title')} />
        <NoAccess action={t('audit.cannotRead')} least="admin" right="keys" />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('audit.title')} intro={t('audit.intro')} />
      <TabSet
        label={t('audit.title')}
        tabs={[
          { name: t('audit.changes'), content: <AuditList /> },
          { name: t('audit.events'), content: <EventList /> },
        ]}
      />
    </>
  );
}
