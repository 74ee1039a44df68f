import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { CommandEntry } from '#layout/commands/matching.ts';
import type { IconName } from '#ui/icon.tsx';

/** The API's maximum page size. */
const MAX_RECORDS = 100;
const STALE_MS = 30_000;

/** The collections, connectors and agents that the command menu opens. Without them it still opens pages. */
export function useRecords(mayEdit: boolean): readonly CommandEntry[] {
  const records = useQuery({
    queryKey: ['commands', mayEdit],
    staleTime: STALE_MS,
    queryFn: async ({ signal }): Promise<CommandEntry[]> => {
      const page = { limit: MAX_RECORDS };
      const [agents, collections, connectors] = await Promise.all([
        lectern().agents.list(page, { signal }),
        mayEdit ? lectern().collections.list(page, { signal }) : undefined,
        mayEdit ? lectern().connectors.list(page, { signal }) : undefined,
      ]);
      return [
        ...entriesOf(collections?.items, 'collection', 'Collection', '/collections'),
        ...entriesOf(connectors?.items, 'connector', 'Connector', '/connectors'),
        ...entriesOf(agents.items, 'agent', 'Agent', '/agents'),
      ];
    },
  });
  return records.data ?? [];
}

const entriesOf = (
  items: readonly { readonly id: string; readonly name: string }[] | undefined,
  icon: IconName,
  detail: string,
  path: string,
): CommandEntry[] => (items ?? []).map(({ id, name }) => ({ to: `${path}/${id}`, label: name, icon, detail }));
