import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { CommandEntry } from '#layout/commands/matching.ts';
import { t } from '#texts/texts.ts';
import type { IconName } from '#ui/icon.tsx';

/** The API's maximum page size. */
const PAGE = { limit: 100 };

/** The collections, connectors and agents that the command menu opens. Without them it still opens pages. */
export function useRecords(mayEdit: boolean): readonly CommandEntry[] {
  // The first part of a key is what changes of the records refresh.
  const collections = useQuery({
    queryKey: ['collections', 'commands'],
    queryFn: async ({ signal }) => (await lectern().collections.list(PAGE, { signal })).items,
    enabled: mayEdit,
  });
  const connectors = useQuery({
    queryKey: ['connectors', 'commands'],
    queryFn: async ({ signal }) => (await lectern().connectors.list(PAGE, { signal })).items,
    enabled: mayEdit,
  });
  const agents = useQuery({
    queryKey: ['agents', 'commands'],
    queryFn: async ({ signal }) => (await lectern().agents.list(PAGE, { signal })).items,
  });
  return [
    ...entriesOf(collections.data, 'collection', t('layout.commands.collection'), '/collections'),
    ...entriesOf(connectors.data, 'connector', t('layout.commands.connector'), '/connectors'),
    ...entriesOf(agents.data, 'agent', t('layout.commands.agent'), '/agents'),
  ];
}

const entriesOf = (
  items: readonly { readonly id: string; readonly name: string }[] | undefined,
  icon: IconName,
  detail: string,
  path: string,
): CommandEntry[] => (items ?? []).map(({ id, name }) => ({ to: `${path}/${id}`, label: name, icon, detail }));
