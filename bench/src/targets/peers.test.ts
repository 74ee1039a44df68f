import { describe, expect, it } from '@jest/globals';
import { minisearchTarget } from '#targets/minisearch';
import { oramaTarget } from '#targets/orama';
import { postgresTarget } from '#targets/postgres';

const corpus = {
  name: 'three',
  documents: [
    { id: 'leave', title: 'Parental leave', text: 'Sixteen weeks of paid time off for new parents.' },
    { id: 'laptop', title: 'Laptops', text: 'Encrypt the disk and use a password manager.' },
    { id: 'travel', title: 'Travel', text: 'Book trains, and claim what they cost.' },
  ],
  queries: [],
};
const query = { id: 'q', text: 'how do I encrypt my laptop disk', relevant: new Set(['laptop']) };
const makers = [
  ['MiniSearch', () => minisearchTarget(corpus)],
  ['Orama', () => oramaTarget(corpus)],
  ['PostgreSQL', () => postgresTarget(corpus, AbortSignal.timeout(60_000))],
] as const;

describe('peers', () => {
  it.each(makers)(
    '%s ranks the document with the answer first, by its id in the corpus',
    async (_, make) => {
      const target = await make();
      try {
        expect((await target.search(query))[0]).toBe('laptop');
      } finally {
        await target.close();
      }
    },
    60_000,
  );
});
