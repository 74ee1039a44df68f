import { useEffect, useState } from 'react';
import type { AgentRecord } from '#api/types.ts';
import { type AgentChanges, type AgentValues, parseChanges, savedValues, without } from '#pages/agents/agent-values.ts';
import { useDrafts } from '#session/use-drafts.ts';

export interface EditedAgent {
  /** What the form shows: the saved settings with the changes. */
  readonly values: AgentValues;
  readonly changes: AgentChanges;
  readonly isChanged: boolean;
  change(changes: AgentChanges): void;
  /** Removes changes that are saved now. Without an argument, removes all. */
  settle(saved?: AgentChanges): void;
}

/**
 * The settings of an agent, or of a new one, while they are edited. Changes are kept in this tab until they
 * are saved or discarded.
 */
export function useAgentValues(agent: AgentRecord | undefined): EditedAgent {
  const drafts = useDrafts();
  const place = `agent:${agent?.id ?? 'new'}`;
  const [edited, setEdited] = useState(() => parseChanges(drafts.read(place)));
  const saved = savedValues(agent);
  const changes = without(edited, saved);
  const isChanged = Object.keys(changes).length > 0;
  const keep = (next: AgentChanges) => drafts.write(place, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
  const update = (edit: (earlier: AgentChanges) => AgentChanges) => {
    // What is kept is read again: a mutation calls this with the state at its start.
    const next = edit(parseChanges(drafts.read(place)));
    keep(next);
    setEdited(next);
  };

  // The draft ends with the tab.
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);

  return {
    values: { ...saved, ...changes },
    changes,
    isChanged,
    change: (next) => update((earlier) => without({ ...earlier, ...next }, saved)),
    settle: (done) => update((earlier) => (done === undefined ? {} : without(earlier, done))),
  };
}
