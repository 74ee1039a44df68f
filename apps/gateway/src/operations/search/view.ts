import type { Facet, SearchResult } from '@lectern/contracts';
import { z } from 'zod';
import { anyObject, timestamp } from '#http/answer-schema';
import { time } from '#http/time';

/** A document that a search found, with its best passages. */
export function searchResult(result: SearchResult) {
  return {
    documentId: result.documentId,
    title: result.title,
    excerpt: result.excerpt,
    highlights: result.highlights.map(({ start, end }) => ({ start, end })),
    url: result.url ?? null,
    score: result.score,
    scores: {
      keyword: result.scores?.keyword ?? null,
      semantic: result.scores?.semantic ?? null,
      rerank: result.scores?.rerank ?? null,
    },
    collection: result.collectionId,
    collectionName: result.collectionName,
    source: result.source,
    metadata: result.metadata ?? {},
    passages: result.passages.map(({ text, heading, start, end, score }) => ({ text, heading, start, end, score })),
    updatedAt: time(result.updatedAt),
  };
}

/** The values of a field over all documents that match. */
export function searchFacet({ field, values, stats, exhaustive }: Facet) {
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count })),
    ...(stats && { stats: withoutMissing(stats) }),
    exhaustive,
  };
}

/** Dates have neither an average nor a sum. */
function withoutMissing({ min, max, avg, sum, count }: NonNullable<Facet['stats']>) {
  return { min, max, ...(avg === undefined ? {} : { avg }), ...(sum === undefined ? {} : { sum }), count };
}

const span = { start: z.int(), end: z.int() };
const optionalScore = z.number().nullable();
const RESULT_EXAMPLE = {
  documentId: 'doc_01h455vb4pex5vsknk084sn02q',
  title: 'Leave',
  excerpt: 'Thirty days a year.',
  highlights: [{ start: 0, end: 11 }],
  url: null,
  score: 0.92,
  scores: { keyword: 7.1, semantic: 0.81, rerank: null },
  collection: 'col_01h455vb4pex5vsknk084sn02q',
  collectionName: 'Handbook',
  source: 'upload',
  metadata: { author: 'Ada' },
  passages: [{ text: 'Thirty days a year.', heading: 'Leave', start: 10, end: 29, score: 0.92 }],
  updatedAt: '2026-11-21T10:00:00.000Z',
};

export const searchResultSchema = z
  .object({
    documentId: z.string(),
    title: z.string(),
    excerpt: z.string(),
    highlights: z.array(z.object(span)).meta({ description: 'Where the excerpt matches, in UTF-16 units' }),
    url: z.string().nullable(),
    score: z.number(),
    scores: z.object({ keyword: optionalScore, semantic: optionalScore, rerank: optionalScore }),
    collection: z.string().meta({ description: "The collection's id" }),
    collectionName: z.string(),
    source: z.string(),
    metadata: anyObject,
    passages: z
      .array(z.object({ text: z.string(), heading: z.string(), ...span, score: z.number() }))
      .meta({ description: "The best passages; start and end are places in the document's content" }),
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'SearchResult', description: 'A document that was found', examples: [RESULT_EXAMPLE] });

const fieldValue = z.union([z.string(), z.number(), z.boolean()]);
const bound = z.union([z.string(), z.number()]);

const searchFacetSchema = z
  .object({
    field: z.string(),
    values: z.array(z.object({ value: fieldValue, count: z.int() })),
    stats: z
      .object({ min: bound, max: bound, avg: z.number().optional(), sum: z.number().optional(), count: z.int() })
      .optional()
      .meta({ description: 'Of numbers and times alone' }),
    exhaustive: z.boolean().meta({ description: 'True where the counts are exact' }),
  })
  .meta({ id: 'Facet' });

const found = { query: z.string(), results: z.array(searchResultSchema), tookMs: z.number() };
const foundExample = { query: 'leave', results: [RESULT_EXAMPLE], tookMs: 12 };

export const searchAnswerSchema = z.object(found).meta({ id: 'SearchAnswer', examples: [foundExample] });

export const facetedAnswerSchema = z.object({ ...found, facets: z.array(searchFacetSchema) }).meta({
  id: 'FacetedSearchAnswer',
  examples: [
    {
      ...foundExample,
      facets: [{ field: 'source', values: [{ value: 'upload', count: 3 }], exhaustive: true }],
    },
  ],
});
