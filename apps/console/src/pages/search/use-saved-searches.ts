import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChange } from '#api/use-change.ts';
import { MAX_SAVED, readSaved, type SavedSearch, writeSaved } from '#pages/search/saved-searches.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';

const NAME = 'saved-searches';
const storage = () => localStorage;

/** The saved searches of the person in this browser, the same in all tabs. */
export function useSavedSearches() {
  const { teamId, id } = useSession();
  const owner = { teamId, id };
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: [NAME] });
    addEventListener('storage', refresh);
    return () => removeEventListener('storage', refresh);
  }, [queryClient]);
  const { data: saved = [] } = useQuery({
    queryKey: [NAME, teamId, id],
    queryFn: () => readSaved(storage, owner),
    // It does not need the network.
    networkMode: 'always',
  });
  /** Replaces the search with this name, adds one (`undefined`) or removes it. */
  const change = (name: string | undefined, next: SavedSearch | undefined) => {
    // Another tab may have changed them since.
    const others = readSaved(storage, owner).filter((other) => other.name !== name);
    if (next !== undefined && others.length >= MAX_SAVED) throw new Error(t('search.saved.full', { count: MAX_SAVED }));
    try {
      writeSaved(storage, owner, next === undefined ? others : [...others, next]);
    } catch {
      throw new Error(t('search.saved.notStored'));
    }
  };
  return { saved, change };
}

/** Creates a mutation that changes saved searches. */
export const useSavedChange = (action: () => void, onDone: () => void) =>
  useChange(async () => action(), [NAME], onDone);
