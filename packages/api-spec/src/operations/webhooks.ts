import { EVENT_TYPES } from '@lectern/contracts';
import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  idIn,
  idParam,
  idParams,
  integer,
  name,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  timestamp,
  updatedAt,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { HTTP_URL } from '#patterns';
import { webhookEventSchema } from '#webhook-events';

const MAX_URL = 2_048;
const MAX_COLLECTIONS = 100;
const MAX_DESCRIPTION = 500;
const MAX_EVENTS = 50;

const plainUrl = z
  .url({ protocol: /^https?$/, error: ({ input }) => (input === undefined ? undefined : 'must be an https URL') })
  .max(MAX_URL)
  .refine((value) => {
    if (!URL.canParse(value)) return true;
    const { username, password, hash } = new URL(value);
    return username === '' && password === '' && hash === '';
  }, 'must not contain a user name, a password or a fragment')
  .register(wireSchemas, { schema: { type: 'string', format: 'uri', pattern: HTTP_URL, maxLength: MAX_URL } })
  .meta({
    description:
      'The address of the endpoint. It must be an https URL that is reachable from the installation; the operator can allow http and internal addresses.',
    examples: ['https://example.com/lectern'],
  });

const eventType = z.enum(EVENT_TYPES).meta({ id: 'WebhookEventType', description: 'The name of an event.' });
const events = z
  .array(eventType)
  .max(MAX_EVENTS)
  .transform((types) => [...new Set(types)])
  .meta({
    description: 'The events that the endpoint receives. Empty: only what is addressed to it, for example a test.',
    examples: [['document.indexed', 'sync.failed']],
  });

const collections = z
  .array(idIn('collection'))
  .max(MAX_COLLECTIONS)
  .meta({
    description:
      'Limits the events to these collections. Empty: every collection that the creator of the webhook has access to. Events that are not about a collection, for example feedback, are then not sent.',
    examples: [[exampleId('collection')]],
  });

const settings = {
  url: plainUrl,
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION)
    .meta({ description: 'A note for the people who manage it.', examples: ['Search index of the website'] }),
  events,
  collections,
  enabled: z.boolean().meta({ description: 'False: no events are recorded for it, and nothing is sent.' }),
};

const newWebhook = z
  .strictObject({
    ...settings,
    description: settings.description.default(''),
    collections: collections.default([]),
    enabled: settings.enabled.default(true),
  })
  .meta({
    id: 'NewWebhook',
    examples: [{ url: 'https://example.com/lectern', events: ['document.indexed', 'sync.failed'] }],
  });

const changes = z
  .strictObject(settings)
  .partial()
  .meta({ id: 'WebhookChanges', examples: [{ enabled: true }] });

const state = z.enum(['starting', 'active', 'failing', 'disabled']).meta({
  id: 'WebhookState',
  description:
    '`starting`: a service cannot be reached and does not record its events yet. `active`: events are recorded and sent. `failing`: the last attempts failed, and Lectern retries. `disabled`: nothing is recorded or sent.',
});

const REASON = {
  description:
    'Why Lectern disabled it: `failing`: no attempt succeeded for 24 hours. `gone`: the endpoint returned 410. `creator`: the API key or person that created it has no access any more. Null if Lectern did not disable it.',
};
const disabledReason = z
  .enum(['failing', 'gone', 'creator'])
  .meta({ id: 'WebhookDisabledReason', ...REASON })
  .nullable()
  .meta(REASON);

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const record = {
  id: ownId('webhook'),
  url: text('The address of the endpoint.', 'https://example.com/lectern'),
  description: text('A note for the people who manage it.'),
  events: z.array(eventType).meta({ description: 'The events that the endpoint receives.' }),
  collections: z
    .array(recordId('collection'))
    .meta({ description: 'The collections that limit the events. Empty for all.' }),
  enabled: flag('False: no events are recorded for it, and nothing is sent.'),
  state,
  disabledReason,
  disabledAt: nullableTimestamp('When Lectern disabled it. Null if it did not.'),
  failingSince: nullableTimestamp('When the first attempt since the last success failed. Null if none did.'),
  pausedUntil: nullableTimestamp(
    'When the next attempt is made, if the endpoint asked for a pause or keeps failing. Null otherwise.',
  ),
  pendingEvents: integer('The number of events that wait for the endpoint, at most 100,000.'),
  droppedEvents: integer(
    'The number of events that were not recorded since the webhook was last enabled, because too many were waiting.',
  ),
  droppedAt: nullableTimestamp('When the last event was dropped. Null if none was.'),
  previousSecretUntil: nullableTimestamp(
    'Until when the secret before the last rotation also signs. Null if it does not.',
  ),
  createdBy: text('The id of the API key or the person that created it.', exampleId('key')),
  createdAt,
  updatedAt,
};

const EXAMPLE = {
  id: exampleId('webhook'),
  url: 'https://example.com/lectern',
  description: 'Search index of the website',
  events: ['document.indexed', 'sync.failed'],
  collections: [],
  enabled: true,
  state: 'active',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  pausedUntil: null,
  pendingEvents: 0,
  droppedEvents: 0,
  droppedAt: null,
  previousSecretUntil: null,
  createdBy: exampleId('key'),
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const webhookSchema = z
  .object(record)
  .meta({ id: 'Webhook', description: 'An endpoint that receives events.', examples: [EXAMPLE] });

const secret = text(
  'The secret that verifies signatures, in the format of Standard Webhooks. It is shown only in this response.',
  SECRET,
);

const webhookWithSecret = z.object({ ...record, secret }).meta({
  id: 'WebhookWithSecret',
  description: 'A webhook with its signing secret.',
  examples: [{ ...EXAMPLE, secret: SECRET }],
});

const status = z.enum(['pending', 'delivered', 'failed', 'skipped']).meta({
  id: 'DeliveryStatus',
  description:
    '`pending`: not accepted yet; Lectern retries. `delivered`: the endpoint returned a 2xx status. `failed`: it did not within 24 hours. `skipped`: not sent, because the creator of the webhook has no access to the collection any more.',
});

const attemptSchema = z
  .object({
    at: timestamp('When the attempt started.'),
    durationMs: integer('Milliseconds until the response, or until the attempt failed.'),
    responseStatus: z.int().nullable().meta({ description: 'The HTTP status. Null without a response.' }),
    response: text('The beginning of the response body, at most 1,024 characters.'),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the attempt failed. Null for a success.', examples: ['The endpoint returned 500.'] }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to the endpoint.' });

const EXAMPLE_ATTEMPT = {
  at: EXAMPLE_TIME,
  durationMs: 84,
  responseStatus: 500,
  response: 'Internal Server Error',
  error: 'The endpoint returned 500.',
};

const delivery = {
  id: ownId('delivery'),
  webhookId: recordId('webhook'),
  eventId: text('The id of the event, which the header `webhook-id` contains.', exampleId('webhookEvent')),
  type: text('The name of the event.', 'document.indexed'),
  resource: text('The id of the record that the event is about. Its events are sent in order.', exampleId('document')),
  status,
  attemptCount: integer('The number of attempts since it was created or last replayed.'),
  nextAttemptAt: nullableTimestamp('When the next attempt is due. Null if none is.'),
  lastAttempt: attemptSchema.nullable().meta({ description: 'The last attempt. Null before the first.' }),
  createdAt: timestamp('When the delivery was created.'),
  endedAt: nullableTimestamp('When it was delivered, failed or was skipped. Null while it is pending.'),
};

const EXAMPLE_DELIVERY = {
  id: exampleId('delivery'),
  webhookId: exampleId('webhook'),
  eventId: exampleId('webhookEvent'),
  type: 'document.indexed',
  resource: exampleId('document'),
  status: 'pending',
  attemptCount: 1,
  nextAttemptAt: '2026-11-21T10:00:05.000Z',
  lastAttempt: EXAMPLE_ATTEMPT,
  createdAt: EXAMPLE_TIME,
  endedAt: null,
};

const deliveryItemSchema = z
  .object(delivery)
  .meta({ id: 'DeliveryItem', description: 'A delivery in a list.', examples: [EXAMPLE_DELIVERY] });

const deliverySchema = z
  .object({
    ...delivery,
    payload: webhookEventSchema,
    attempts: z.array(attemptSchema).meta({ description: 'The last 20 attempts, the newest last.' }),
  })
  .meta({
    id: 'Delivery',
    description: 'An event on its way to a webhook.',
    examples: [
      {
        ...EXAMPLE_DELIVERY,
        payload: {
          type: 'document.indexed',
          timestamp: EXAMPLE_TIME,
          data: {
            id: exampleId('document'),
            collectionId: exampleId('collection'),
            connectorId: exampleId('connector'),
            version: 1,
          },
        },
        attempts: [EXAMPLE_ATTEMPT],
      },
    ],
  });

const deliveryParams = z.object({ id: idParam('webhook'), deliveryId: idParam('delivery') });

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'get',
  path: '/api/v1/webhooks',
  summary: 'List webhooks',
  description:
    'Lists the webhooks of the team, newest first. A key that is restricted to some collections sees only those that it created.',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(webhookSchema)),
});

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'post',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'Creates a webhook. It receives the events that its creator has access to when they are sent: a key also needs the right `documents:read` for events of documents, `connectors` for those of syncs and connectors, `chat` for feedback and `agents` for runs. The response contains the signing secret.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(newWebhook),
  success: 201,
  response: one(webhookWithSecret),
  returnsSecret: true,
  errors: ['conflict', 'unavailable'],
});

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'get',
  path: '/api/v1/webhooks/{id}',
  summary: 'Get a webhook',
  description: 'Returns a webhook, without its secret.',
  access: 'secret',
  params: idParams('webhook'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(webhookSchema),
});

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'put',
  path: '/api/v1/webhooks/{id}',
  summary: 'Update a webhook',
  description:
    'Changes the given settings. Enabling a webhook forgets its failures: waiting events are sent immediately. A new address keeps the secret: rotate it if another system takes over.',
  access: 'secret',
  params: idParams('webhook'),
  query: none,
  body: jsonBody(changes),
  success: 200,
  response: one(webhookSchema),
  errors: ['conflict'],
});

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'delete',
  path: '/api/v1/webhooks/{id}',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook with its deliveries. Waits for attempts in progress, at most 15 seconds; after the response, nothing more is sent.',
  access: 'secret',
  params: idParams('webhook'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'post',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Creates a new signing secret. During the overlap, requests have a signature of the new and one of the previous secret, so that the endpoint can change over without a failure.',
  access: 'secret',
  params: idParams('webhook'),
  query: none,
  body: jsonBody(
    z
      .strictObject({
        overlapSeconds: z.int().min(0).max(604_800).default(86_400).meta({
          description: 'Seconds for which the previous secret also signs. 0 after a secret has become known to others.',
        }),
      })
      .meta({ id: 'WebhookSecretRotation', examples: [{ overlapSeconds: 86_400 }] }),
  ),
  success: 200,
  response: one(webhookWithSecret),
  returnsSecret: true,
  errors: ['unavailable'],
});

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'post',
  path: '/api/v1/webhooks/{id}/test',
  summary: 'Send a test event',
  description:
    'Sends the event `webhook.test` once, also to a disabled webhook, and waits for the response. The result is in the returned delivery, and is not retried.',
  access: 'secret',
  params: idParams('webhook'),
  query: none,
  body: jsonBody(noFields),
  success: 200,
  response: one(deliverySchema),
  errors: ['unavailable'],
});

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'get',
  path: '/api/v1/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Lists the deliveries of a webhook, newest first. Ended ones are kept for a week.',
  access: 'secret',
  params: idParams('webhook'),
  query: pageQuery.extend({
    status: status.optional().meta({ description: 'Only deliveries with this status.' }),
    type: name.optional().meta({ description: 'Only deliveries of this event.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(deliveryItemSchema)),
});

export const getDelivery = operation({
  id: 'getDelivery',
  method: 'get',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'Get a delivery',
  description: 'Returns a delivery with its payload, without the result of a schedule, and its attempts.',
  access: 'secret',
  params: deliveryParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deliverySchema),
});

export const replayDelivery = operation({
  id: 'replayDelivery',
  method: 'post',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  summary: 'Replay a delivery',
  description:
    'Sends an event again, with the same `webhook-id`, and retries it for another 24 hours. A pending delivery is sent immediately, after the earlier events of its resource.',
  access: 'secret',
  params: deliveryParams,
  query: none,
  body: jsonBody(noFields),
  success: 202,
  response: one(deliverySchema),
  errors: ['conflict'],
});
