import MiniSearch from 'minisearch';
import type { Corpus } from '#corpus/corpus';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/** MiniSearch inside this process, with its defaults and the title counted twice: no network, no filter, no permission, nothing on disk. */
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
