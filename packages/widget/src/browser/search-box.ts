import type { Box, Host } from '#browser/host';
import { isWebUrl } from '#browser/is-web-url';
import { resultOption } from '#browser/result-option';
import {
  type Found,
  KeyRejected,
  NOTHING,
  recordClick,
  SearchFailure,
  type SearchResult,
  search,
} from '#browser/search-api';
import { widgetTexts } from '#browser/texts/texts';
import { createView } from '#browser/view';

/** The delay after the last key press. */
const DEBOUNCE_MS = 200;

/** Creates a search box. Calls `choose` with the selected result; it returns false if the page handles it. */
export function createSearchBox(host: Host, choose: (result: SearchResult) => boolean): Box {
  const texts = widgetTexts(host.language);
  const { root, input, popup, list, status } = createView(host.settings());
  let { queryId, results } = NOTHING;
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  /** True if the search failed because of the key. A new key then repeats it, once. */
  let isRejected = false;

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

  const run = async (isRepeated = false) => {
    stop();
    const query = input.value.trim();
    if (query === '') {
      status.textContent = '';
      fill(NOTHING);
      return;
    }
    running = new AbortController();
    isRejected = false;
    const { signal } = running;
    root.ariaBusy = 'true';
    try {
      const found = await search(host.settings(), texts, query, signal);
      if (signal.aborted) return;
      fill(found);
      status.textContent = results.length === 0 ? texts.noResults : texts.results(results.length);
    } catch (error) {
      if (signal.aborted) return;
      fill(NOTHING);
      status.textContent = error instanceof SearchFailure ? error.message : texts.unavailable;
      if (error instanceof KeyRejected) {
        isRejected = !isRepeated;
        host.expired();
      }
    } finally {
      if (!signal.aborted) root.ariaBusy = 'false';
    }
  };

  const open = (index: number, isNewTab: boolean) => {
    const found = results[index];
    if (found === undefined) return;
    if (queryId !== null) recordClick(host.settings(), queryId, index + 1);
    if (!choose(found)) return;
    const { url } = found;
    // If the document has no URL, expands its excerpt.
    if (!isWebUrl(url)) list.children[index]?.classList.toggle('open');
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
  const keyChanged = () => {
    if (isRejected) void run(true);
  };
  return { root, focus: () => input.focus(), keyChanged, stop };
}
