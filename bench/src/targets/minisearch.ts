import MiniSearch from 'minisearch';
import type { Corpus } from '#corpus/corpus';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/**
 * MiniSearch in this process with defaults and the title counted twice: no network, filters,
 * permissions or storage.
 */
export function minisearchTarget({ documents }: Corpus): SearchTarget {
  const index = new MiniSearch<{ id: string; title: string; text: string }>({ fields: ['title', 'text'] });
  index.addAll(documents);
  return {
    name: 'MiniSearch, in process',
    isPeer: true,
    async search({ text }) {
      const found = index.search(text, { boost: { title: 2 } });
      return found.slice(0, RESULTS).map(({ id }) => String(id));
    },
    close: () => undefined,
  };
}
