import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { AgentRecord } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import type { AgentChanges, AgentValues } from '#pages/agents/agent-values.ts';
import { NewAgentPreview, Preview } from '#pages/agents/preview.tsx';
import { useAgentValues } from '#pages/agents/use-agent-values.ts';
import { useRole, useSession } from '#session/session.ts';

/** In the state of the browser's history: the first message to an agent that was just created. */
export interface FirstMessage {
  readonly firstMessage: string;
}

const lacks = ({ name, systemPrompt }: AgentValues) => name.trim() === '' || systemPrompt.trim() === '';

const bodyOf = ({ collections, ...changes }: AgentChanges) => ({
  ...changes,
  ...(collections === undefined ? {} : { collections: [...collections] }),
});

/** Edits an agent, with a preview that runs it with the settings in the form. */
export function AgentBuilder({
  agent,
  firstMessage,
}: {
  readonly agent: AgentRecord;
  readonly firstMessage?: string | undefined;
}) {
  const queryClient = useQueryClient();
  const [location, navigate] = useLocation();
  const isPerson = useSession().person !== null;
  const mayEdit = useRole('editor');
  const edited = useAgentValues(agent);
  const save = useChange(async () => {
    const sent = edited.changes;
    queryClient.setQueryData(['agents', agent.id], await lectern().agents.update(agent.id, bodyOf(sent)));
    edited.settle(sent);
  }, ['agents']);
  const isIncomplete = lacks(edited.values);
  const form = <AgentForm edited={edited} isNew={false} isIncomplete={isIncomplete} save={save} />;
  // Only who may change an agent can run it with other settings.
  if (isPerson && !mayEdit) return form;
  return (
    <div className="builder">
      {form}
      <Preview
        agentId={agent.id}
        values={edited.values}
        isIncomplete={isIncomplete}
        firstMessage={firstMessage}
        // A reload must not send it again.
        onSent={() => navigate(location, { replace: true })}
      />
    </div>
  );
}

/** Creates an agent, on its own or with the first message of the preview. */
export function NewAgentBuilder() {
  const [, navigate] = useLocation();
  const edited = useAgentValues(undefined);
  const create = useChange(
    async (firstMessage: string | undefined) => {
      const { collections, ...values } = edited.values;
      const { id } = await lectern().agents.create({ ...values, collections: [...collections] });
      edited.settle();
      const state: FirstMessage | undefined = firstMessage === undefined ? undefined : { firstMessage };
      navigate(`/agents/${id}`, { replace: true, state });
    },
    ['agents'],
  );
  const isIncomplete = lacks(edited.values);
  return (
    <div className="builder">
      <AgentForm
        edited={edited}
        isNew
        isIncomplete={isIncomplete}
        save={{ ...create, mutateAsync: () => create.mutateAsync(undefined) }}
      />
      <NewAgentPreview
        values={edited.values}
        isIncomplete={isIncomplete}
        isBusy={create.isPending}
        onRun={create.mutateAsync}
      />
    </div>
  );
}
