import { useSearchParams } from 'wouter';
import { CasesPanel } from '#pages/test-cases/cases-panel.tsx';
import { RunsPanel } from '#pages/test-cases/runs-panel.tsx';
import { ScheduleForm } from '#pages/test-cases/schedule-form.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** Questions whose replies are checked, and the results. */
export default function TestCasesPage() {
  const canEdit = useAccess('editor', 'chat');
  const [params] = useSearchParams();
  const tabs = [
    { name: t('testCases.results'), content: <RunsPanel /> },
    { name: t('testCases.questions'), content: <CasesPanel /> },
    { name: t('testCases.schedule'), content: <ScheduleForm /> },
  ];
  return (
    <>
      <PageHead title={t('testCases.title')} intro={t('testCases.intro')} />
      {canEdit ? (
        <TabSet
          label={t('testCases.title')}
          initial={t(params.has('case') ? 'testCases.questions' : 'testCases.results')}
          tabs={tabs}
        />
      ) : (
        <NoAccess action={t('testCases.access')} least="editor" right="chat" />
      )}
    </>
  );
}
