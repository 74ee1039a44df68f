import { AuditList } from '#pages/audit/audit-list.tsx';
import { EventList } from '#pages/audit/event-list.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The audit log and the recorded events. */
export default function AuditPage() {
  const canRead = useAccess('admin', 'keys');
  if (!canRead) {
    return (
      <>
        <PageHead title="Audit" />
        <NoAccess action="read the audit log" least="admin" right="keys" />
      </>
    );
  }
  return (
    <>
      <PageHead title="Audit" intro="Changes made through the API, and recorded events." />
      <TabSet
        label="Audit"
        tabs={[
          { name: 'Changes', content: <AuditList /> },
          { name: 'Recorded events', content: <EventList /> },
        ]}
      />
    </>
  );
}
