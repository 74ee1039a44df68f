import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { ApprovalRecord } from '#api/types.ts';
import { useSession } from '#session/session.ts';

/** Only while a call waits: other requests without an action of the user would keep the session alive. */
const REFRESH_MS = 15_000;

/** The tool calls that wait for a decision of the user. */
export function useWaiting(): UseQueryResult<readonly ApprovalRecord[]> {
  const { person, rights } = useSession();
  return useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: ({ signal }) => lectern().runs.waitingApprovals({ signal }),
    enabled: person !== null || rights.includes('agents'),
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? REFRESH_MS : false),
  });
}
