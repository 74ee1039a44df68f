import { type Corpus, pointId } from './corpus.ts';

/** A kind of request to measure. */
export interface Scenario {
  readonly name: string;
  readonly path: string;
  /** Returns a new body, as JSON. */
  body(): string;
}

const team = { key: 'team', match: { value: 'team-1' } };
const candidates = 300;

/** Creates the scenarios: requests like those of a search service. */
export function createScenarios(corpus: Corpus): readonly Scenario[] {
  const all = { must: [team] };
  const half = { must: [team, { key: 'updatedAt', range: { gte: halfTime(corpus) } }] };
  const few = { must: [team, { key: 'collection', match: { any: ['collection-3'] } }] };
  const fields = ['document', 'chunk', 'collection'];
  const dense = (filter: object, limit: number, with_payload: unknown) => ({
    query: corpus.denseVector(),
    using: 'dense',
    filter,
    limit,
    with_payload,
  });
  const sparse = (filter: object, limit: number, with_payload: unknown) => ({
    query: corpus.sparseQuery(),
    using: 'text',
    filter,
    limit,
    with_payload,
  });
  const twoLegs = (filter: object) => ({
    searches: [sparse(filter, candidates, fields), dense(filter, candidates, fields)],
  });
  // Lectern's search: the legs of a ranking, which words match, and the best passage for each word. Only
  // ids and scores are returned.
  const search = (filter: object) => {
    const { all: keyword, words } = corpus.queryWithWords();
    const leg = (query: unknown, using: string, limit: number) => ({
      query,
      using,
      filter,
      limit,
      with_payload: false,
    });
    const weighted = (query: unknown, limit: number) => ({
      ...leg(query, 'text', limit),
      params: { idf: { corpus: all } },
    });
    return {
      searches: [
        weighted(keyword, 200),
        leg(corpus.denseVector(), 'dense', 200),
        weighted(words, 200),
        ...words.indices.map((index) => weighted({ indices: [index], values: [1] }, 1)),
      ],
    };
  };
  const fused = (filter: object) => ({
    prefetch: [sparse(filter, 100, undefined), dense(filter, 100, undefined)],
    query: { fusion: 'rrf' },
    limit: 20,
    with_payload: true,
  });
  const scenario = (name: string, path: string, body: () => object): Scenario => ({
    name,
    path: `/collections/bench/${path}`,
    body: () => JSON.stringify(body()),
  });
  return [
    scenario('dense, top 10', 'points/query', () => dense(all, 10, false)),
    scenario('dense, top 300 with 3 fields', 'points/query', () => dense(all, candidates, fields)),
    scenario('sparse, top 10', 'points/query', () => sparse(all, 10, false)),
    scenario('sparse, top 300 with 3 fields', 'points/query', () => sparse(all, candidates, fields)),
    scenario('hybrid: batch of two legs of 300', 'points/query/batch', () => twoLegs(all)),
    scenario('hybrid, filter keeps half', 'points/query/batch', () => twoLegs(half)),
    scenario('hybrid, filter keeps 1 in 20', 'points/query/batch', () => twoLegs(few)),
    scenario('search: a batch of all legs, ids only', 'points/query/batch', () => search(all)),
    scenario('search, filter keeps half', 'points/query/batch', () => search(half)),
    scenario('hybrid, RRF, 20 whole points', 'points/query', () => fused(all)),
    scenario('groups of a dense query, 10 × 3', 'points/query/groups', () => ({
      ...dense(all, 10, ['title']),
      group_by: 'document',
      group_size: 3,
    })),
    scenario('20 whole points by id', 'points', () => ({
      ids: Array.from({ length: 20 }, () => pointId(Math.floor(Math.random() * corpus.size.points))),
      with_payload: true,
    })),
    scenario('facet of 500 values over first chunks', 'facet', () => ({
      key: 'author',
      limit: 100,
      filter: { must: [team, { key: 'chunk', match: { value: 0 } }] },
    })),
    scenario('condition without an index', 'points/count', () => ({
      filter: { must: [{ key: 'metadata.year', match: { value: 2001 } }] },
    })),
  ];
}

function halfTime(corpus: Corpus): string {
  return new Date(1_700_000_000_000 + (corpus.size.points / 10) * 60_000).toISOString();
}
