import { FILTER_LIMITS, filterSizeFault } from '@lectern/contracts';
import { z } from 'zod';
import { jsonBody } from '#body';
import {
  anyObject,
  EXAMPLE_TIME,
  exampleId,
  fieldName,
  flag,
  integer,
  jsonValue,
  nullableTimestamp,
  pageFields,
  searchedCollections,
  text,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_QUERY = 2_000;
const MAX_FACETS = 20;
const MAX_VALUES = 1_000;
const DEFAULT_VALUES = 20;
const MAX_HALF_LIFE = 3_650;
const DEFAULT_RECENCY = 0.3;

const anyQuery = z.string().max(MAX_QUERY);

/** A query that must not be empty. */
export const searchQuery = anyQuery.regex(/\S/, 'must not be empty').meta({
  description:
    'Words or a question. In a query of keywords, "quotes" search for a phrase and -word excludes a word; in a sentence, quoted words only come first.',
});

/** Filters of limited size. The search service validates fields and operators. */
export const searchFilters = z
  .record(fieldName, jsonValue)
  .superRefine((filters, issues) => {
    const fault = filterSizeFault(filters);
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    id: 'SearchFilters',
    description: `Conditions on fields. At most ${FILTER_LIMITS.depth} levels, ${FILTER_LIMITS.nodes} conditions, groups and operators in total, and ${FILTER_LIMITS.values} values.`,
    examples: [{ author: 'Ada', updatedAt: { $gte: '2026-01-01' } }],
  });

/** Chosen values of facets, of limited size. The search service validates fields and values. */
export const facetFilters = z
  .record(fieldName, z.array(jsonValue))
  .superRefine((chosen, issues) => {
    const fault = filterSizeFault(chosen);
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    id: 'FacetFilters',
    description:
      'Chosen values of facets. A document needs one of the values of each field; an empty list has no effect. The counts of a field ignore the values chosen for it, so they show what else can be chosen. The limits are those of `filters`.',
    examples: [{ source: ['upload', 'github'], author: ['Ada'] }],
  });

const mode = z
  .enum(['hybrid', 'keyword', 'semantic'])
  .meta({ id: 'SearchMode', description: 'Which documents match a search.' });
export type SearchModeName = z.output<typeof mode>;

export const searchMode = mode.default('hybrid').meta({
  description:
    'Which documents match: `keyword` those with a word of the query, `semantic` those with a similar meaning, `hybrid` both.',
});

const searchSort = z
  .enum(['relevance', 'newest', 'oldest'])
  .meta({ id: 'SearchSort', description: 'The order of the results.' })
  .default('relevance')
  .meta({
    description:
      'The order of all documents that match: by relevance, or by the date of their last change. Ordered by date, near-duplicates are not collapsed, nothing is reranked, recency and pinned positions have no effect, and `score` only compares results of one page. Without a query, `relevance` lists the newest documents first.',
  });

const searchRecency = z
  .strictObject({
    halfLifeDays: z
      .number()
      .min(1)
      .max(MAX_HALF_LIFE)
      .meta({ description: 'The age in days at which a document has lost half of `weight`.', examples: [90] }),
    weight: z
      .number()
      .min(0)
      .max(1)
      .default(DEFAULT_RECENCY)
      .meta({ description: 'The share of its score that a very old document loses.' }),
    now: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'The time that ages are counted from. The default is the start of the day in UTC.' }),
  })
  .meta({
    id: 'SearchRecency',
    description:
      'Prefers documents that changed recently. Multiplies scores by `1 - weight × (1 - 2^(-age / halfLifeDays))`.',
    examples: [{ halfLifeDays: 90 }],
  });

const searchFields = {
  collections: searchedCollections.optional(),
  filters: searchFilters.optional(),
  facetFilters: facetFilters.optional(),
  mode: searchMode,
  sort: searchSort,
  ...pageFields,
  minScore: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Only documents whose `relevance` is at least this, from 0 to 1.' }),
  rerank: z
    .boolean()
    .optional()
    .meta({ description: 'Whether to rerank the best documents. The default is a setting of the installation.' }),
  collapse: z.literal('duplicates').optional().meta({
    description:
      'With `duplicates`, documents with nearly the same text are one result: the best one, which lists the others.',
  }),
  recency: searchRecency.optional(),
  rules: z.boolean().default(true).meta({
    description: 'False: searches without the search rules of the team, which pin and hide documents.',
  }),
  maxPassagesPerDocument: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .meta({ description: 'The maximum number of passages per document.' }),
};

const searchBody = z
  .strictObject({ query: searchQuery, ...searchFields })
  .meta({ examples: [{ query: 'How many days of leave?', limit: 5, filters: { author: 'Ada' } }] });

export type SearchBody = z.output<typeof searchBody>;

const facetedBody = z
  .strictObject({
    query: anyQuery.default('').meta({ description: 'Words or a question. Omit it to list all documents.' }),
    ...searchFields,
    facets: z
      .array(z.string().min(1).max(FILTER_LIMITS.nameLength))
      .max(MAX_FACETS)
      .default([])
      .meta({ description: 'The fields whose values to count.', examples: [['source', 'author']] }),
    maxFacetValues: z
      .int()
      .min(1)
      .max(MAX_VALUES)
      .default(DEFAULT_VALUES)
      .meta({ description: 'The maximum number of values per field.' }),
  })
  .meta({ examples: [{ query: 'leave', facets: ['source', 'author'] }] });

const docsSiteBody = z
  .strictObject({
    query: searchQuery,
    limit: pageFields.limit,
    collections: searchedCollections.optional(),
    rules: searchFields.rules,
  })
  .meta({ examples: [{ query: 'leave', limit: 5 }] });

const span = {
  start: integer('The start, in UTF-16 units.'),
  end: integer('The end, in UTF-16 units.'),
};
const partialScore = (description: string) => z.number().nullable().meta({ description });
const RESULT_EXAMPLE = {
  documentId: exampleId('document'),
  title: 'Leave',
  excerpt: 'Thirty days a year.',
  highlights: [{ start: 0, end: 11 }],
  url: null,
  score: 0.92,
  scores: { keyword: 0.71, semantic: 0.81, rerank: null },
  relevance: 0.64,
  collection: exampleId('collection'),
  collectionName: 'Handbook',
  source: 'upload',
  metadata: { author: 'Ada' },
  passages: [{ text: 'Thirty days a year.', heading: 'Leave', start: 10, end: 29, score: 0.92 }],
  updatedAt: EXAMPLE_TIME,
  duplicates: [],
  duplicateCount: 0,
  synonyms: [{ from: 'PTO', to: 'annual leave' }],
  pinned: false,
};

const duplicateSchema = z
  .object({
    documentId: text('The id of the document.', exampleId('document')),
    title: text('The title of the document.'),
    url: z.string().nullable().meta({ description: 'The URL of the document, if it has one.' }),
    collection: text('The id of the collection.', exampleId('collection')),
    collectionName: text('The name of the collection.', 'Handbook'),
    source: text('The platform that the document comes from.', 'upload'),
    updatedAt: nullableTimestamp('When the document was last changed.'),
  })
  .meta({ id: 'DuplicateDocument', description: 'A document with nearly the same text as a result.' });

const searchResultSchema = z
  .object({
    documentId: text('The id of the document.', exampleId('document')),
    title: text('The title of the document.'),
    excerpt: text('The text of the best passage, shortened.'),
    highlights: z
      .array(z.object(span).meta({ id: 'TextSpan', description: 'A part of a text.' }))
      .meta({ description: 'Where the excerpt matches the query.' }),
    url: z.string().nullable().meta({ description: 'The URL of the document, if it has one.' }),
    score: z.number().meta({
      description:
        'The score that orders the results. In mode `hybrid` it is relative to the best result of the query.',
    }),
    scores: z
      .object({
        keyword: partialScore('The keyword score. Null if the words do not match.'),
        semantic: partialScore('The cosine similarity. Null if the meaning does not match.'),
        rerank: partialScore('The score of the reranker. Null without reranking.'),
      })
      .meta({ id: 'SearchScores', description: 'The parts of the score.' }),
    relevance: z.number().meta({
      description:
        'How well the document matches, from 0 to 1: the same scale for every query. 1 means that no passage contains the words of the query more clearly. 0 for matches that are listed by date, and without a query.',
    }),
    collection: text('The id of the collection.', exampleId('collection')),
    collectionName: text('The name of the collection.', 'Handbook'),
    source: text('The platform that the document comes from.', 'upload'),
    metadata: anyObject.meta({ description: 'The metadata of the document.' }),
    passages: z
      .array(
        z
          .object({
            text: text('The text of the passage.'),
            heading: text('The heading above the passage. Empty if there is none.'),
            start: integer("The start of the passage in the document's content, in UTF-16 units."),
            end: integer("The end of the passage in the document's content, in UTF-16 units."),
            score: z.number().meta({ description: 'The score of the passage.' }),
          })
          .meta({ id: 'SearchPassage', description: 'A passage of a document that matches.' }),
      )
      .meta({ description: 'The best passages of the document.' }),
    updatedAt: nullableTimestamp('When the document was last changed.'),
    duplicates: z
      .array(duplicateSchema)
      .meta({ description: 'Other matches with nearly the same text, if the request collapses them. At most 10.' }),
    duplicateCount: integer('The number of these matches, including those that are not listed.'),
    synonyms: z
      .array(
        z
          .object({
            from: text('Words of the query.', 'PTO'),
            to: text('Words with the same meaning.', 'annual leave'),
          })
          .meta({ id: 'UsedSynonym', description: 'A synonym that a search used.' }),
      )
      .meta({ description: 'The synonyms of the query whose words the title or the three best passages contain.' }),
    pinned: flag('True if a search rule pinned the document to its position. It then has no scores.'),
  })
  .meta({ id: 'SearchResult', description: 'A document that matches a search.', examples: [RESULT_EXAMPLE] });

const fieldValue = z.union([z.string(), z.number(), z.boolean()]).meta({ description: 'A value of the field.' });
const bound = (description: string) => z.union([z.string(), z.number()]).meta({ description });

const facetSchema = z
  .object({
    field: text('The name of the field.', 'source'),
    values: z
      .array(
        z
          .object({ value: fieldValue, count: integer('The number of documents with this value.') })
          .meta({ id: 'FacetValue', description: 'A value of a field.' }),
      )
      .meta({ description: 'The values of the field, most frequent first.' }),
    stats: z
      .object({
        min: bound('The smallest value.'),
        max: bound('The largest value.'),
        avg: z.number().optional().meta({ description: 'The average. Omitted for times.' }),
        sum: z.number().optional().meta({ description: 'The sum. Omitted for times.' }),
        count: integer('The number of values.'),
      })
      .meta({ id: 'FacetStats', description: 'Statistics. Only for fields with numbers or times.' })
      .optional(),
    exhaustive: flag('True if the counts are exact.'),
  })
  .meta({ id: 'Facet', description: 'The values of a field over all documents that match.' });

const resultsFields = {
  query: text('The query of the request.'),
  queryId: z.string().nullable().meta({
    description:
      'Names this search when a click on a result is recorded (`POST /api/v1/search/clicks`). Null for a search without a query and for all pages but the first: use the id of the first page.',
  }),
  didYouMean: z.string().nullable().meta({
    description:
      'The query with other spellings of words that no document contains. The results include documents with these words. Null if every word occurs, or no similar word does.',
  }),
  results: z.array(searchResultSchema).meta({ description: 'The documents that match, in the order of `sort`.' }),
  tookMs: z.number().meta({ description: 'The duration of the search in milliseconds.' }),
};
const RESULTS_EXAMPLE = {
  query: 'leave',
  queryId: exampleId('search'),
  didYouMean: null,
  results: [RESULT_EXAMPLE],
  tookMs: 12,
};

const suggestionsBody = z
  .strictObject({
    query: anyQuery.regex(/\S/, 'must not be empty').meta({ description: 'The text typed so far.' }),
    collections: searchedCollections.optional(),
    limit: z.int().min(1).max(20).default(5).meta({ description: 'The maximum number of suggestions.' }),
  })
  .meta({ examples: [{ query: 'paren' }] });

const suggestionSchema = z
  .object({
    text: text('The query to search for.', 'parental leave'),
    kind: z.enum(['query', 'title']).meta({
      id: 'QuerySuggestionKind',
      description: '`query`: several people searched for it. `title`: a document has this title.',
    }),
    documentId: z.string().nullable().meta({ description: 'The document with this title.' }),
  })
  .meta({
    id: 'QuerySuggestion',
    description: 'A completion of the text typed so far.',
    examples: [{ text: 'Parental leave', kind: 'title', documentId: exampleId('document') }],
  });

const suggestionsSchema = z
  .object({
    query: text('The query of the request.'),
    suggestions: z.array(suggestionSchema).meta({ description: 'Completions, best first.' }),
  })
  .meta({
    id: 'QuerySuggestions',
    description: 'Completions of the text typed so far.',
    examples: [
      {
        query: 'paren',
        suggestions: [{ text: 'Parental leave', kind: 'title', documentId: exampleId('document') }],
      },
    ],
  });

const searchResultsSchema = z.object(resultsFields).meta({
  id: 'SearchAnswer',
  description: 'The results of a search.',
  examples: [RESULTS_EXAMPLE],
});

const facetedResultsSchema = z
  .object({
    ...resultsFields,
    facets: z.array(facetSchema).meta({ description: 'The facets, in the order of the request.' }),
  })
  .meta({
    id: 'FacetedSearchAnswer',
    description: 'The results of a search with facets.',
    examples: [
      { ...RESULTS_EXAMPLE, facets: [{ field: 'source', values: [{ value: 'upload', count: 3 }], exhaustive: true }] },
    ],
  });

export const searchDocuments = operation({
  id: 'searchDocuments',
  method: 'post',
  path: '/api/v1/search',
  summary: 'Search documents',
  description: 'Searches documents by words and meaning and returns the best documents with the passages that match.',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(searchBody),
  success: 200,
  usage: 'search',
  response: pageOf(searchResultsSchema),
  errors: ['upstream_error'],
});

export const searchFaceted = operation({
  id: 'searchFaceted',
  method: 'post',
  path: '/api/v1/search/faceted',
  summary: 'Search documents with facets',
  description: 'Searches or lists documents, and counts the values of the given fields over all documents that match.',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(facetedBody),
  success: 200,
  usage: 'search',
  response: pageOf(facetedResultsSchema),
  errors: ['upstream_error'],
});

export const searchDocsSite = operation({
  id: 'searchDocsSite',
  method: 'post',
  path: '/v1/docs/search',
  summary: 'Search a documentation site',
  description: 'A small search for the search box of a website. It has no pages, filters or facets.',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(docsSiteBody),
  success: 200,
  usage: 'search',
  response: one(searchResultsSchema),
  errors: ['upstream_error'],
});

export const suggestQueries = operation({
  id: 'suggestQueries',
  method: 'post',
  path: '/api/v1/search/suggestions',
  summary: 'Suggest queries',
  description:
    'Completes a query while it is being typed, with titles of documents that the caller can read. A signed-in person, or a secret key without an end user and with access to all collections, also gets what at least three people of the team searched for on the same day, if documents that the caller can read contain all of its words.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(suggestionsBody),
  success: 200,
  response: one(suggestionsSchema),
});
