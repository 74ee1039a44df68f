import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  booleanText,
  EXAMPLE_TIME,
  exampleId,
  id,
  idIn,
  integer,
  interval,
  linkedIds,
  pageQuery,
  periodQuery,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

/** The deepest rank that a click can have: results end there. */
const MAX_RANK = 10_000;

/** A click on a result of a search. */
export const searchClick = z.object({
  queryId: idIn('search').meta({
    description: 'The `queryId` of the response that contained the result.',
    examples: [exampleId('search')],
  }),
  rank: z.int().min(1).max(MAX_RANK).meta({ description: 'The position of the result in the list, counted from 1.' }),
});

const acceptedClick = z
  .object({ accepted: z.literal(true).meta({ description: 'Always true.' }) })
  .meta({ id: 'AcceptedClick', description: 'The click was accepted.', examples: [{ accepted: true }] });

export const recordSearchClick = operation({
  id: 'recordSearchClick',
  method: 'post',
  path: '/api/v1/search/clicks',
  summary: 'Record a click on a search result',
  description:
    'Records that a person opened a result, for search analytics. A click that names no recent search of the team has no effect. Programs with a secret key can also record analytics events named `search_clicked`.',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(searchClick.strict().meta({ examples: [{ queryId: exampleId('search'), rank: 1 }] })),
  success: 202,
  response: one(acceptedClick),
});

const counts = {
  searches: integer('The number of searches.'),
  withoutResults: integer('Searches without results, except those with filters or a minimum relevance.'),
  clicked: integer('Searches with at least one click on a result.'),
  clickThroughRate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'The share of searches with a click. Null without searches.' }),
  meanClickedRank: z
    .number()
    .min(1)
    .nullable()
    .meta({ description: 'The mean position of the clicked results, counted from 1. Null without clicks.' }),
};
const COUNTS_EXAMPLE = { searches: 40, withoutResults: 3, clicked: 22, clickThroughRate: 0.55, meanClickedRank: 1.8 };

const countsSchema = z.object(counts).meta({ id: 'SearchCounts', description: 'Counts of searches and clicks.' });

const reportSchema = z
  .object({
    from: timestamp('The start of the first bucket.'),
    to: timestamp('The end of the last bucket.'),
    interval: interval.meta({ description: 'The length of a bucket.' }),
    buckets: z
      .array(
        z
          .object({ startAt: timestamp('The start of the bucket.'), ...counts })
          .meta({ id: 'SearchBucket', description: 'The searches in one hour or day.' }),
      )
      .meta({ description: 'The searches per hour or day, oldest first, including empty buckets.' }),
    totals: countsSchema.meta({ description: 'The searches of the whole period.' }),
  })
  .meta({
    id: 'SearchReport',
    description: 'The searches of a team, by hours or days in UTC.',
    examples: [
      {
        from: '2026-11-21T00:00:00.000Z',
        to: '2026-11-22T00:00:00.000Z',
        interval: 'day',
        buckets: [{ startAt: '2026-11-21T00:00:00.000Z', ...COUNTS_EXAMPLE }],
        totals: COUNTS_EXAMPLE,
      },
    ],
  });

const querySchema = z
  .object({
    query: text('The query in lower case, without extra white space, at most 200 characters.', 'parental leave'),
    ...counts,
    lastResults: integer('The number of results of the last search.'),
    lastSearchedAt: timestamp('When the query was last searched.'),
  })
  .meta({
    id: 'SearchQuery',
    description: 'A query that people searched for.',
    examples: [{ query: 'parental leave', ...COUNTS_EXAMPLE, lastResults: 12, lastSearchedAt: EXAMPLE_TIME }],
  });

const ofCollection = id.optional().register(linkedIds, { kind: 'collection' }).meta({
  description:
    'Only searches that were limited to this collection, and searches of everything that found a document of it.',
});

export const getSearchAnalytics = operation({
  id: 'getSearchAnalytics',
  method: 'get',
  path: '/api/v1/search-analytics',
  summary: 'Get search analytics',
  description:
    'Returns counts of searches, of searches without results, and of clicks, by hours or days in UTC. Searches of agents, of chat and through MCP do not count.',
  access: 'secret',
  fullScopeTo: 'read search analytics',
  params: none,
  query: z.object({
    from: periodQuery.from.meta({ description: 'Default: 24 hours before `to`. Rounded down to the interval.' }),
    to: periodQuery.to.meta({ description: 'Default: now. Rounded up to the interval.' }),
    interval: interval
      .default('hour')
      .meta({ description: 'Hours or days in UTC. A report has at most 1,000 intervals.' }),
    collection: ofCollection,
  }),
  body: withoutBody,
  success: 200,
  response: one(reportSchema),
});

export const listSearchQueries = operation({
  id: 'listSearchQueries',
  method: 'get',
  path: '/api/v1/search-analytics/queries',
  summary: 'List search queries',
  description:
    'Lists the queries of a period, most frequent first, or only those without results. Lists neither who searched nor queries of fewer people than the installation requires.',
  access: 'secret',
  fullScopeTo: 'read search analytics',
  params: none,
  query: pageQuery.extend({
    from: periodQuery.from.meta({ description: 'Default: 30 days before `to`. A period has at most 366 days.' }),
    to: periodQuery.to.meta({ description: 'Default: now.' }),
    collection: ofCollection,
    withoutResults: booleanText
      .default(false)
      .meta({ description: 'Only queries that had no results at least once, most of those first.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(querySchema)),
});
