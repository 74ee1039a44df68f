import { useSearchParams } from 'wouter';
import { CasesPanel } from '#pages/test-cases/cases-panel.tsx';
import { RunsPanel } from '#pages/test-cases/runs-panel.tsx';
import { ScheduleForm } from '#pages/test-cases/schedule-form.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** Questions whose replies are checked, and the results. */
export default function TestCasesPage() {
  const canEdit = useAccess('editor', 'chat');
  const [params] = useSearchParams();
  const tabs = [
    { name: 'Results', content: <RunsPanel /> },
    { name: 'Questions', content: <CasesPanel /> },
    { name: 'Schedule', content: <ScheduleForm /> },
  ];
  return (
    <>
      <PageHead title="Test cases" intro="Questions that Lectern asks itself, to notice when replies get worse." />
      {canEdit ? (
        <TabSet label="Test cases" initial={params.has('case') ? 'Questions' : 'Results'} tabs={tabs} />
      ) : (
        <NoAccess action="access test cases" least="editor" right="chat" />
      )}
    </>
  );
}
