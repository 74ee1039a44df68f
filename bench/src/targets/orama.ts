import { create, insertMultiple, search } from '@orama/orama';
import type { Corpus } from '#corpus/corpus';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/** Orama's full-text search in this process, with defaults and the title counted twice. */
export async function oramaTarget({ documents }: Corpus): Promise<SearchTarget> {
  const database = create({ schema: { title: 'string', text: 'string' }, language: 'english' });
  await insertMultiple(
    database,
    documents.map(({ id, title, text }) => ({ id, title, text })),
  );
  return {
    name: 'Orama, in process',
    isPeer: true,
    async search({ text }) {
      const { hits } = await search(database, { term: text, limit: RESULTS, boost: { title: 2 } });
      return hits.map(({ id }) => id);
    },
    close: () => undefined,
  };
}
