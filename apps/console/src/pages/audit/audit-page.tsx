import { AuditList } from '#pages/audit/audit-list.tsx';
import { EventList } from '#pages/audit/event-list.tsx';
import { useSession } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** What was managed, and what pages and servers reported. */
export default function AuditPage() {
  const { allow_all_collections: mayRead } = useSession();
  if (!mayRead) {
    return (
      <>
        <PageHead title="Audit" />
        <Empty title="This key may not read the audit log">
          <p>Sign in with a key that reaches all collections.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Audit" intro="Every change that was made through the API, and the events that were recorded." />
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
