import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChangeSearch } from '#pages/search/use-search-state.ts';

/** The pause in typing after which the results appear. */
const PAUSE_MS = 250;
/** The pause in typing after which more typing is another search: the back button returns to this one. */
const EDIT_MS = 2_000;

/** The text of the search field. */
interface TypedQuery {
  readonly typed: string;
  type(text: string): void;
  /** Searches for the text, if it has changed. */
  submit(): void;
}

/** Searches for what is typed: with `isLive` after each pause, and otherwise only when it is submitted. */
export function useTypedQuery(query: string, change: ChangeSearch, isLive: boolean): TypedQuery {
  const [typed, setTyped] = useState(query);
  /** The last search of this field, and until when more typing continues it. */
  const last = useRef({ query, until: 0 });

  useEffect(() => {
    if (query === last.current.query) return;
    // The back button or a link has changed the query.
    last.current = { query, until: 0 };
    setTyped(query);
  }, [query]);

  const search = useCallback(
    (text: string, until: number) => {
      const replace = performance.now() < last.current.until;
      last.current = { query: text, until };
      change({ query: text }, { replace });
    },
    [change],
  );

  useEffect(() => {
    const text = typed.trim();
    if (!isLive || text === query) return;
    const timer = setTimeout(() => search(text, performance.now() + EDIT_MS), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, query, isLive, search]);

  return {
    typed,
    type: (text) => {
      const now = performance.now();
      if (now < last.current.until) last.current.until = now + EDIT_MS;
      setTyped(text);
    },
    submit: () => {
      const text = typed.trim();
      if (text === query) last.current.until = 0;
      else search(text, 0);
    },
  };
}
