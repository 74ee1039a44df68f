import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { lectern } from '#api/lectern.ts';

const MIN_CHARACTERS = 2;

/** The completions of a search field, which names this list in its `list` attribute. */
export function QuerySuggestions({ id, typed }: { readonly id: string; readonly typed: string }) {
  const query = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: ['query-suggestions', query],
    queryFn: ({ signal }) => lectern().search.suggest({ query }, { signal }),
    enabled: query.length >= MIN_CHARACTERS,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <datalist id={id}>
      {data?.suggestions.map(({ text }) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}
