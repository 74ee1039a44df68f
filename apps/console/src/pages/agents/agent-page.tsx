import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { AgentRecord } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import { MemoriesPanel } from '#pages/agents/memories-panel.tsx';
import { RunHistory } from '#pages/agents/run-history.tsx';
import { RunPanel } from '#pages/agents/run-panel.tsx';
import { SchedulesPanel } from '#pages/agents/schedules-panel.tsx';
import { useRole } from '#session/session.ts';
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
    <QueryView query={record} what="the agent">
      {(agent) => <Loaded agent={agent} />}
    </QueryView>
  );
}

function Loaded({ agent }: { readonly agent: AgentRecord }) {
  const { id, name, description } = agent;
  const [, navigate] = useLocation();
  const mayEdit = useRole('editor');
  const remove = useChange(
    () => lectern().agents.delete(id),
    ['agents'],
    () => navigate('/agents'),
  );
  return (
    <>
      <PageHead title={name} parent={{ to: '/agents', label: 'Agents' }} intro={description}>
        <Confirm label="Delete" question={`Delete “${name}”?`} done={`“${name}” is deleted.`} mutation={remove}>
          <p>This also deletes its runs, schedules and memories. This cannot be undone.</p>
        </Confirm>
      </PageHead>
      <TabSet
        label="Agent"
        tabs={[
          { name: 'Run', content: <RunPanel agent={agent} /> },
          { name: 'Run history', content: <RunHistory agentId={id} /> },
          ...(mayEdit ? [{ name: 'Schedules', content: <SchedulesPanel agentId={id} /> }] : []),
          { name: 'Memories', content: <MemoriesPanel agentId={id} /> },
          { name: 'Settings', content: <AgentForm agent={agent} onDone={() => undefined} /> },
        ]}
      />
    </>
  );
}
