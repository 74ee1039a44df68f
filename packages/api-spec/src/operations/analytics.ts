import { z } from 'zod';
import { itemsBody, withoutBody } from '#body';
import {
  anyObject,
  createdAt,
  EXAMPLE_TIME,
  exampleId,
  freeObject,
  integer,
  interval,
  ownId,
  pageQuery,
  periodQuery,
  text,
  timestamp,
  timeText,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_EVENTS = 100;
const MAX_NAME = 200;
const MAX_TEXT = 100;

// Audit log

const filter = z.string().min(1).max(MAX_TEXT).optional();
const auditFilters = {
  ...periodQuery,
  action: filter.meta({ description: 'Only events of this operation, for example `createCollection`.' }),
  keyId: filter.meta({ description: 'Only events of this key pair.' }),
  resourceId: filter.meta({ description: 'Only events about this record.' }),
};

const auditEventSchema = z
  .object({
    id: ownId('audit'),
    action: text('The id of the operation.', 'createCollection'),
    resource: z
      .object({
        type: text('The type of the record.', 'collection'),
        id: z.string().nullable().meta({ description: 'The id of the record, if there is one.' }),
      })
      .meta({ id: 'AuditResource', description: 'The record that the operation changed.' }),
    actor: z
      .object({
        keyId: z
          .string()
          .nullable()
          .meta({ description: 'The key pair. Null for a signed-in person and for the command line.' }),
        user: z
          .string()
          .nullable()
          .meta({ description: 'The signed-in person, or the end user from `X-Service-User`, if there is one.' }),
        name: z.string().nullable().meta({
          description: 'The name of the person with this address, otherwise that of the key pair, if there is one.',
        }),
      })
      .meta({ id: 'AuditActor', description: 'Who sent the request.' }),
    ip: z.string().nullable().meta({ description: 'The client address.' }),
    userAgent: z.string().nullable().meta({ description: 'The `User-Agent` of the request.' }),
    requestId: z.string().nullable().meta({ description: 'The id of the request.' }),
    details: anyObject.nullable().meta({ description: 'Details of the change, without secrets.' }),
    createdAt,
  })
  .meta({
    id: 'AuditEvent',
    description: 'A management operation: what was done, by whom, when and from where.',
    examples: [
      {
        id: exampleId('audit'),
        action: 'createCollection',
        resource: { type: 'collection', id: exampleId('collection') },
        actor: { keyId: exampleId('key'), user: null, name: 'Website' },
        ip: '203.0.113.7',
        userAgent: 'lectern-sdk',
        requestId: exampleId('request'),
        details: {},
        createdAt: EXAMPLE_TIME,
      },
    ],
  });

export const listAudit = operation({
  id: 'listAudit',
  method: 'get',
  path: '/api/v1/audit',
  summary: 'List audit events',
  description:
    'Lists the management operations of the team, newest first: changes of collections, connectors, agents and API keys.',
  access: 'secret',
  fullScopeTo: 'read the audit log',
  params: none,
  query: pageQuery.extend(auditFilters),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(auditEventSchema)),
});

export const exportAudit = operation({
  id: 'exportAudit',
  method: 'get',
  path: '/api/v1/audit/export',
  summary: 'Export audit events',
  description:
    'Returns all matching audit events up to now as JSON Lines, newest first. The export is itself recorded in the audit log. If it ends early, repeat it with `to` set to one millisecond after the time of the last event, and ignore events whose ids you already have.',
  access: 'secret',
  fullScopeTo: 'read the audit log',
  params: none,
  query: z.object(auditFilters),
  body: withoutBody,
  success: 200,
  lines: { item: auditEventSchema },
});

// Events of applications

const eventInput = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_NAME)
      .meta({ description: 'The name of the event, for example `search_clicked`.' }),
    properties: freeObject.default({}).meta({ description: 'Additional data about the event.' }),
    occurredAt: timeText.optional().meta({ description: 'When it happened (ISO 8601). Default: now.' }),
  })
  .meta({ id: 'NewAnalyticsEvent', description: 'An event to record.' });

const acceptedSchema = z
  .object({
    accepted: integer('The number of recorded events.'),
    ids: z.array(z.string()).meta({ description: 'The ids of the events, in the order of the request.' }),
  })
  .meta({
    id: 'AcceptedEvents',
    description: 'The recorded events.',
    examples: [{ accepted: 1, ids: [exampleId('event')] }],
  });

export const recordEvents = operation({
  id: 'recordAnalyticsEvents',
  method: 'post',
  path: '/api/v1/analytics/events',
  summary: 'Record analytics events',
  description:
    'Records one event, or a list of up to 100 events. Events named `search_clicked` with the properties `queryId` and `rank` also count as clicks in search analytics.',
  access: 'secret',
  params: none,
  query: none,
  body: itemsBody(eventInput, MAX_EVENTS, [
    { name: 'search_clicked', properties: { queryId: exampleId('search'), rank: 1 } },
  ]),
  success: 202,
  response: one(acceptedSchema),
});

const eventSchema = z
  .object({
    id: ownId('event'),
    name: text('The name of the event.', 'search_clicked'),
    properties: anyObject.meta({ description: 'Additional data about the event, as recorded.' }),
    keyId: z.string().nullable().meta({ description: 'The key pair that recorded the event.' }),
    occurredAt: timestamp('When it happened.'),
    createdAt: timestamp('When it was recorded.'),
  })
  .meta({
    id: 'AnalyticsEvent',
    description: 'An event that an application recorded.',
    examples: [
      {
        id: exampleId('event'),
        name: 'search_clicked',
        properties: { rank: 1 },
        keyId: exampleId('key'),
        occurredAt: EXAMPLE_TIME,
        createdAt: EXAMPLE_TIME,
      },
    ],
  });

export const listEvents = operation({
  id: 'listAnalyticsEvents',
  method: 'get',
  path: '/api/v1/analytics/events',
  summary: 'List analytics events',
  description:
    'Lists recorded events, newest first. A key with restricted scope lists only the events that it recorded.',
  access: 'secret',
  params: none,
  query: pageQuery.extend({
    ...periodQuery,
    name: z.string().min(1).max(MAX_NAME).optional().meta({ description: 'Only events with this name.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(eventSchema)),
});

// Usage

const counts = {
  requests: integer('All requests with a key of the team, including rejected ones.'),
  errors: integer('Requests with a status of 400 or more, and streams that ended with `error`.'),
  p50Ms: z
    .number()
    .nullable()
    .meta({ description: 'Median milliseconds until the response began. Null without requests.' }),
  p95Ms: z
    .number()
    .nullable()
    .meta({ description: '95th percentile of the milliseconds until the response began. Null without requests.' }),
  searches: integer('Successful searches, including those through MCP.'),
  chats: integer('Successful chat replies, including those through MCP.'),
  agentRuns: integer('Successful agent runs.'),
  promptTokens: integer('Tokens of prompts.'),
  completionTokens: integer('Tokens of replies.'),
};
const COUNTS_EXAMPLE = {
  requests: 42,
  errors: 1,
  p50Ms: 18.4,
  p95Ms: 310.7,
  searches: 30,
  chats: 8,
  agentRuns: 1,
  promptTokens: 5120,
  completionTokens: 640,
};

const usageSchema = z
  .object({
    from: timestamp('The start of the first bucket.'),
    to: timestamp('The end of the last bucket.'),
    interval: interval.meta({ description: 'The length of a bucket.' }),
    buckets: z
      .array(
        z
          .object({ startAt: timestamp('The start of the bucket.'), ...counts })
          .meta({ id: 'UsageBucket', description: 'The usage in one hour or day.' }),
      )
      .meta({ description: 'The usage per hour or day, oldest first, including empty buckets.' }),
    totals: z.object(counts).meta({ id: 'UsageCounts', description: 'The usage of the whole period.' }),
  })
  .meta({
    id: 'UsageReport',
    description: 'The usage of a team, by hours or days in UTC.',
    examples: [
      {
        from: '2026-11-21T10:00:00.000Z',
        to: '2026-11-21T11:00:00.000Z',
        interval: 'hour',
        buckets: [{ startAt: '2026-11-21T10:00:00.000Z', ...COUNTS_EXAMPLE }],
        totals: COUNTS_EXAMPLE,
      },
    ],
  });

export const getUsage = operation({
  id: 'getUsage',
  method: 'get',
  path: '/api/v1/analytics/usage',
  summary: 'Get usage',
  description: 'Returns counts of requests, errors and tokens, and response times, by hours or days in UTC.',
  access: 'secret',
  fullScopeTo: "read the team's usage",
  params: none,
  query: z.object({
    from: periodQuery.from.meta({ description: 'Default: 24 hours before `to`. Rounded down to the interval.' }),
    to: periodQuery.to.meta({ description: 'Default: now. Rounded up to the interval.' }),
    interval: interval
      .default('hour')
      .meta({ description: 'Hours or days in UTC. A report has at most 1,000 intervals.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(usageSchema),
});

const dimension = z
  .enum(['model', 'key', 'person'])
  .meta({ id: 'UsageDimension', description: 'What the usage is divided by.' });

const USAGE_ITEM = {
  id: exampleId('person'),
  name: 'Ada Lovelace',
  requests: 120,
  errors: 1,
  p50Ms: 25.1,
  p95Ms: 1_310.7,
  promptTokens: 51_200,
  completionTokens: 6_400,
  cost: 0.03,
};

const usageItemSchema = z
  .object({
    id: text('The id of the key pair or the person, or the name of the model.'),
    name: text('The name of the key pair, the person or the model.'),
    requests: integer('All requests. For a model: the replies that it wrote.'),
    errors: integer('Requests that failed.'),
    p50Ms: counts.p50Ms,
    p95Ms: counts.p95Ms,
    promptTokens: integer('Tokens of prompts.'),
    completionTokens: integer('Tokens of replies.'),
    cost: z.number().meta({ description: 'The cost, by the prices at the time of each request.', examples: [0.03] }),
  })
  .meta({ id: 'UsageItem', description: 'The usage of one model, key pair or person.', examples: [USAGE_ITEM] });

export const getUsageBreakdown = operation({
  id: 'getUsageBreakdown',
  method: 'get',
  path: '/api/v1/analytics/usage/breakdown',
  summary: 'List usage by model, key or person',
  description:
    'Lists requests, response times, tokens and cost of each model, key pair or person, the most expensive first. A request of a key for an end user counts for the key.',
  access: 'secret',
  fullScopeTo: "read the team's usage",
  params: none,
  query: pageQuery.extend({
    by: dimension.default('model').meta({ description: 'What to divide the usage by.' }),
    from: periodQuery.from.meta({
      description: `Default: 30 days before \`to\`. Rounded down to a day in UTC, at most 1,000 days before \`to\`.`,
    }),
    to: periodQuery.to.meta({ description: 'Default: now. Rounded up to a day in UTC.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(usageItemSchema)),
});
