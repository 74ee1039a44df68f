import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { lectern } from '#api/lectern.ts';
import type { AgentRecord } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { AgentBuilder, type FirstMessage } from '#pages/agents/agent-builder.tsx';
import { MemoriesPanel } from '#pages/agents/memories-panel.tsx';
import { RunHistory } from '#pages/agents/run-history.tsx';
import { RunPanel } from '#pages/agents/run-panel.tsx';
import { SchedulesPanel } from '#pages/agents/schedules-panel.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Confirm } from '#ui/confirm.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** An agent with its runs, memories and settings. */
export default function AgentPage({ id }: { readonly id: string }) {
  const record = useQuery({
    queryKey: ['agents', id],
    queryFn: ({ signal }) => lectern().agents.get(id, { signal }),
  });
  return (
    <QueryView query={record} title={t('agents.title')} what={t('agents.what.agent')}>
      {(agent) => <Loaded agent={agent} />}
    </QueryView>
  );
}

function Loaded({ agent }: { readonly agent: AgentRecord }) {
  const { id, name, description } = agent;
  const [, navigate] = useLocation();
  const mayEdit = useRole('editor');
  const firstMessage = useHistoryState<FirstMessage | null>()?.firstMessage;
  const remove = useChange(
    () => lectern().agents.delete(id),
    ['agents'],
    () => navigate('/agents'),
  );
  return (
    <>
      <PageHead title={name} parent={{ to: '/agents', label: t('agents.title') }} intro={description}>
        <Confirm
          label={t('agents.delete')}
          question={t('agents.deleteQuestion', { name })}
          done={t('agents.deleted', { name })}
          mutation={remove}
        >
          <p>{t('agents.deleteEffect')}</p>
        </Confirm>
      </PageHead>
      <TabSet
        label={t('agents.agent')}
        initial={t(firstMessage === undefined ? 'agents.tabs.run' : 'agents.tabs.settings')}
        tabs={[
          { name: t('agents.tabs.run'), content: <RunPanel agent={agent} /> },
          { name: t('agents.tabs.history'), content: <RunHistory agentId={id} /> },
          ...(mayEdit ? [{ name: t('agents.tabs.schedules'), content: <SchedulesPanel agentId={id} /> }] : []),
          { name: t('agents.tabs.memories'), content: <MemoriesPanel agentId={id} /> },
          { name: t('agents.tabs.settings'), content: <AgentBuilder agent={agent} firstMessage={firstMessage} /> },
        ]}
      />
    </>
  );
}
