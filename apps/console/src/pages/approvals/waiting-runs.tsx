import { useEffect, useState } from 'react';
import { useWaiting } from '#pages/approvals/use-waiting.ts';
import { WaitingRun } from '#pages/approvals/waiting-run.tsx';
import { t } from '#texts/texts.ts';

interface RunId {
  readonly agentId: string;
  readonly runId: string;
}

/**
 * The runs that wait for a decision of the user, for example after a reload. A run stays until the
 * page is left, so that its answer appears here too.
 */
export function WaitingRuns({
  agentId,
  shown = [],
  isOwnOnly = false,
}: {
  /** Only the runs of this agent. */
  readonly agentId?: string;
  /** The runs that the page shows already. */
  readonly shown?: readonly string[];
  /** Leaves out the runs of other people. */
  readonly isOwnOnly?: boolean;
}) {
  const waiting = useWaiting().data;
  const [followed, setFollowed] = useState<readonly RunId[]>([]);
  const shownIds = shown.join(' ');
  useEffect(() => {
    const ids = shownIds.split(' ');
    setFollowed((earlier) => {
      const kept = earlier.filter(({ runId }) => !ids.includes(runId));
      const found = new Map(kept.map((run) => [run.runId, run]));
      for (const { agentId: of, runId } of waiting ?? []) {
        if (ids.includes(runId) || (agentId !== undefined && of !== agentId)) continue;
        found.set(runId, { agentId: of, runId });
      }
      return [...found.values()];
    });
  }, [waiting, agentId, shownIds]);
  if (followed.length === 0) return null;
  return (
    <section className="stack waiting-runs" aria-label={t('approvals.waitingTitle')}>
      {followed.map((run) => (
        <WaitingRun key={run.runId} {...run} isOwnOnly={isOwnOnly} />
      ))}
    </section>
  );
}
