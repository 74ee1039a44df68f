import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '#api/request.ts';
import type { AgentRecord } from '#api/types.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import { RunHistory } from '#pages/agents/run-history.tsx';
import { RunPanel } from '#pages/agents/run-panel.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** An agent: at work, its earlier runs, and what it is made of. */
export default function AgentPage({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const path = `/api/v1/agents/${id}`;
  const record = useQuery({
    queryKey: ['agents', id],
    queryFn: ({ signal }) => call<AgentRecord>('GET', path, { signal }),
  });
  if (record.error) return <ErrorNotice error={record.error} onRetry={() => record.refetch()} />;
  if (record.data === undefined) return <Loading what="the agent" />;
  const agent = record.data;
  return (
    <>
      <PageHead title={agent.name} intro={agent.description}>
        <Confirm
          label="Delete"
          question={`Delete “${agent.name}”?`}
          action={() => call('DELETE', path)}
          onDone={() => {
            navigate('/agents');
            void queryClient.invalidateQueries({ queryKey: ['agents'] });
          }}
        >
          <p>Its runs and what it remembers go with it.</p>
        </Confirm>
      </PageHead>
      <TabSet
        label="Agent"
        tabs={[
          { name: 'Run', content: <RunPanel agent={agent} /> },
          { name: 'Earlier runs', content: <RunHistory agentId={id} /> },
          { name: 'Settings', content: <AgentForm agent={agent} onDone={() => undefined} /> },
        ]}
      />
    </>
  );
}
