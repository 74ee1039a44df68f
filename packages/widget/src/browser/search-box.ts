import { resultOption, urlOf } from '#browser/result-option';
import { type Found, NOTHING, recordClick, SearchFailure, type SearchResult, search } from '#browser/search-api';
import type { Settings } from '#browser/settings';
import { createView } from '#browser/view';

/** The delay after the last key press. */
const DEBOUNCE_MS = 200;

/** A search box. */
export interface SearchBox {
  readonly root: HTMLElement;
  /** Aborts the current search. */
  stop(): void;
}

function countText(results: readonly SearchResult[]): string {
  if (results.length === 0) return 'No results.';
  return results.length === 1 ? '1 result.' : `${results.length} results.`;
}

/** Creates a search box. Calls `choose` with the selected result; it returns false if the page handles it. */
export function createSearchBox(settings: Settings, choose: (result: SearchResult) => boolean): SearchBox {
  const { root, input, popup, list, status } = createView(settings);
  let { queryId, results } = NOTHING;
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  const activate = (index: number) => {
    active = index;
    for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === index);
    const option = list.children[index];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const show = (isOpen: boolean) => {
    popup.hidden = !isOpen || results.length === 0;
    input.ariaExpanded = String(!popup.hidden);
    if (popup.hidden) activate(-1);
  };
  const fill = (found: Found) => {
    ({ queryId, results } = found);
    list.replaceChildren(...results.map((result, index) => resultOption(result, `result-${index}`)));
    activate(-1);
    show(true);
  };
  const stop = () => {
    clearTimeout(timer);
    running.abort();
  };

  const run = async () => {
    stop();
    const query = input.value.trim();
    if (query === '') {
      status.textContent = '';
      fill(NOTHING);
      return;
    }
    running = new AbortController();
    const { signal } = running;
    root.ariaBusy = 'true';
    try {
      const found = await search(settings, query, signal);
      if (signal.aborted) return;
      fill(found);
      status.textContent = countText(found.results);
    } catch (error) {
      if (signal.aborted) return;
      fill(NOTHING);
      status.textContent = error instanceof SearchFailure ? error.message : 'Search is temporarily unavailable.';
    } finally {
      if (!signal.aborted) root.ariaBusy = 'false';
    }
  };

  const open = (index: number, isNewTab: boolean) => {
    const found = results[index];
    if (found === undefined) return;
    if (queryId !== null) recordClick(settings, queryId, index + 1);
    if (!choose(found)) return;
    const url = urlOf(found);
    // If the document has no URL, expands its excerpt.
    if (url === undefined) list.children[index]?.classList.toggle('open');
    else if (isNewTab) window.open(url, '_blank', 'noopener');
    else window.location.assign(url);
  };

  const step = (by: number) => {
    if (results.length === 0) return;
    const count = results.length;
    if (popup.hidden) show(true);
    activate(active === -1 ? (by > 0 ? 0 : count - 1) : (active + by + count) % count);
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Escape: () => {
      if (popup.hidden) input.value = '';
      else show(false);
    },
    Enter: (event) => {
      if (popup.hidden || active === -1) void run();
      else open(active, event.ctrlKey || event.metaKey);
    },
  };

  input.addEventListener('keydown', (event) => {
    const handle = event.isComposing ? undefined : keys[event.key];
    if (handle === undefined) return;
    event.preventDefault();
    handle(event);
  });
  input.addEventListener('input', () => {
    stop();
    timer = setTimeout(() => void run(), DEBOUNCE_MS);
  });
  input.addEventListener('focus', () => show(true));
  root.addEventListener('focusout', () => show(false));
  // Keeps the focus in the input while the user clicks in the list.
  popup.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('li') : null;
    if (option !== null) open([...list.children].indexOf(option), event.ctrlKey || event.metaKey);
  });
  return { root, stop };
}
