import type { EventData, EventType } from '@lectern/contracts';
import { z } from 'zod';
import { EXAMPLE_TIME, exampleId, integer, recordId, text, timestamp } from '#fields';

const document = {
  id: recordId('document'),
  collectionId: recordId('collection'),
  connectorId: recordId('connector').nullable().meta({ description: 'The connector that imported it. Null for none.' }),
};
const EXAMPLE_DOCUMENT = {
  id: exampleId('document'),
  collectionId: exampleId('collection'),
  connectorId: exampleId('connector'),
};

const connector = {
  connectorId: recordId('connector'),
  connectorName: text('The name of the connector.', 'Handbook'),
  collectionId: recordId('collection'),
};
const EXAMPLE_CONNECTOR = {
  connectorId: exampleId('connector'),
  connectorName: 'Handbook',
  collectionId: exampleId('collection'),
};

const failureCode = z
  .object({ code: text('An error code. The record has the message.', 'upstream_error') })
  .meta({ id: 'WebhookEventError', description: 'Why something failed.' });

const counts = z
  .object({
    indexed: integer('Indexed items.'),
    skipped: integer('Items that had not changed.'),
    failed: integer('Failed items.'),
    deleted: integer('Deleted items.'),
  })
  .meta({ id: 'SyncEventCounts', description: 'What a sync did.' });

const job = { id: recordId('job'), ...connector, status: text('The status of the job.', 'completed'), counts };
const EXAMPLE_JOB = { id: exampleId('job'), ...EXAMPLE_CONNECTOR };
const EXAMPLE_COUNTS = { indexed: 12, skipped: 80, failed: 0, deleted: 1 };

const scheduleOfRun = z
  .object({
    id: recordId('schedule'),
    name: text('The name of the schedule.', 'Weekly report'),
    runId: recordId('schedule_run'),
  })
  .meta({ id: 'RunEventSchedule', description: 'The schedule. Only in the result of a schedule.' });

const scheduleResult = z
  .object({
    content: text('The reply in Markdown, with the markers of its sources.'),
    sources: z
      .array(
        z
          .object({
            id: recordId('document'),
            title: text('The title of the document.'),
            url: z.string().nullable().meta({ description: 'The address of the document. Null for none.' }),
          })
          .meta({ id: 'RunEventSource', description: 'A source of a result.' }),
      )
      .meta({ description: 'The sources of the reply, in the order of their markers.' }),
    truncated: z.boolean().meta({ description: 'True if the result was too large for an event.' }),
  })
  .meta({
    id: 'RunEventResult',
    description: 'The result. Only for the webhook to which the owner of the schedule sends it.',
  });

interface EventSpec<D> {
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodObject;
  readonly example: D;
}

/** The data of each event. */
const SPECS: { readonly [T in EventType]: EventSpec<EventData[T]> } = {
  'document.indexed': {
    summary: 'A document can be found',
    description: 'A new version of a document was indexed. Rebuilding the index of unchanged text sends no event.',
    data: z.object({ ...document, version: integer('The version of the text, counted from 1.') }),
    example: { ...EXAMPLE_DOCUMENT, version: 1 },
  },
  'document.failed': {
    summary: 'A document could not be indexed',
    description: 'A document could not be indexed.',
    data: z.object({ ...document, error: failureCode }),
    example: { ...EXAMPLE_DOCUMENT, error: { code: 'indexing_failed' } },
  },
  'document.deleted': {
    summary: 'A document was deleted',
    description: 'A document was deleted, by a request, a sync, or with its connector or collection.',
    data: z.object(document),
    example: EXAMPLE_DOCUMENT,
  },
  'sync.completed': {
    summary: 'A sync ended',
    description: 'A sync ended. Its status is `completed`, or `completed_with_errors` if items failed.',
    data: z.object(job),
    example: { ...EXAMPLE_JOB, status: 'completed', counts: EXAMPLE_COUNTS },
  },
  'sync.failed': {
    summary: 'A sync failed',
    description: 'A sync failed. A cancelled sync sends no event.',
    data: z.object({ ...job, error: failureCode }),
    example: { ...EXAMPLE_JOB, status: 'failed', counts: EXAMPLE_COUNTS, error: { code: 'upstream_error' } },
  },
  'connector.error': {
    summary: 'A connector needs attention',
    description:
      'A connector cannot sync until somebody changes something: its status is `error`, or `pending_auth` if it must be authorized again. Each sync that fails so sends an event.',
    data: z.object({ ...connector, status: text('The status of the connector.', 'error') }),
    example: { ...EXAMPLE_CONNECTOR, status: 'error' },
  },
  'feedback.created': {
    summary: 'Somebody rated a reply',
    description: 'Somebody rated a reply, or changed the rating. It contains neither the comment nor who gave it.',
    data: z.object({
      messageId: recordId('message'),
      conversationId: recordId('conversation'),
      rating: text('`up` or `down`.', 'down'),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'The reason of `down`. Null without one.', examples: ['wrong'] }),
    }),
    example: {
      messageId: exampleId('message'),
      conversationId: exampleId('conversation'),
      rating: 'down',
      reason: 'wrong',
    },
  },
  'run.completed': {
    summary: 'A run of an agent ended',
    description: 'A run of an agent ended, successfully or not: see its status.',
    data: z.object({
      id: recordId('run'),
      agentId: recordId('agent'),
      agentName: text('The name of the agent.', 'Support'),
      conversationId: recordId('conversation').nullable().meta({ description: 'The conversation. Null for none.' }),
      status: text('`completed`, `limited`, `cancelled`, `failed` or `timed_out`.', 'completed'),
      error: failureCode.nullable().meta({ description: 'Why it failed. Null if it did not.' }),
      schedule: scheduleOfRun.optional(),
      result: scheduleResult.optional(),
    }),
    example: {
      id: exampleId('run'),
      agentId: exampleId('agent'),
      agentName: 'Support',
      conversationId: exampleId('conversation'),
      status: 'completed',
      error: null,
    },
  },
};

/** Names of schemas: `DocumentIndexed` for `document.indexed`. */
const nameOf = (type: string): string =>
  type
    .split('.')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');

function payloadOf(type: string, { description, data, example }: EventSpec<object>) {
  const name = nameOf(type);
  return z
    .object({
      type: z.literal(type).meta({ description: 'The name of the event.' }),
      timestamp: timestamp('When it happened.'),
      data: data.meta({ id: `${name}Data`, description: 'What happened.', examples: [example] }),
    })
    .meta({
      id: `${name}Event`,
      description,
      examples: [{ type, timestamp: EXAMPLE_TIME, data: example }],
    });
}

const TEST: EventSpec<object> = {
  summary: 'A test',
  description: 'An event that somebody sent to test a webhook.',
  data: z.object({ webhookId: recordId('webhook') }),
  example: { webhookId: exampleId('webhook') },
};

/** The events that webhooks receive, by name. */
export const WEBHOOK_EVENTS = Object.entries({ ...SPECS, 'webhook.test': TEST }).map(([type, spec]) => ({
  type,
  summary: spec.summary,
  description: spec.description,
  payload: payloadOf(type, spec),
}));

const [first, ...others] = WEBHOOK_EVENTS.map(({ payload }) => payload);
if (first === undefined) throw new TypeError('There are no events.');

/** The body of a request to a webhook. */
export const webhookEventSchema = z
  .discriminatedUnion('type', [first, ...others])
  .meta({ id: 'WebhookEvent', description: 'The body of a request to a webhook.' });
