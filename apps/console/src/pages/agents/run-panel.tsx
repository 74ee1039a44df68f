import type { AgentRecord } from '#api/types.ts';
import { RunForm } from '#pages/agents/run-form.tsx';
import { RunThread } from '#pages/agents/run-thread.tsx';
import { useRun } from '#pages/agents/use-run.ts';
import { WaitingRuns } from '#pages/approvals/waiting-runs.tsx';

/** Runs an agent and shows its steps live. */
export function RunPanel({ agent }: { readonly agent: AgentRecord }) {
  const { runs, isRunning, error, run, stop } = useRun(agent.id);
  return (
    <div className="stack">
      <WaitingRuns agentId={agent.id} shown={runs.map(({ reply }) => reply.id)} />
      <RunThread startMessage={agent.startMessage} runs={runs} isRunning={isRunning} error={error} />
      <RunForm isRunning={isRunning} onRun={run} onStop={stop} />
    </div>
  );
}
