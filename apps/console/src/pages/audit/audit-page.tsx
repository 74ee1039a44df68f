import { AuditList } from '#pages/audit/audit-list.tsx';
import { EventList } from '#pages/audit/event-list.tsx';
import { useRole } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The audit log and the recorded events. */
export default function AuditPage() {
  const canRead = useRole('admin');
  if (!canRead) {
    return (
      <>
        <PageHead title="Audit" />
        <Empty title="This key cannot read the audit log">
          <p>Sign in with a key that can access all collections.</p>
        </Empty>
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
