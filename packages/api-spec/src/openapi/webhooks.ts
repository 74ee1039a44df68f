import { type Components, pascalCase } from '#openapi/components';
import { toJsonSchema } from '#openapi/json-schema';
import { WEBHOOK_EVENTS } from '#webhook-events';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of Standard Webhooks. */
const HEADERS = [
  header(
    'webhook-id',
    'The id of the event. It is the same in each attempt: ignore an id that you have already processed.',
    'wev_01h455vb4pex5vsknk084sn02q',
  ),
  header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.', '1795255200'),
  header(
    'webhook-signature',
    'One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'The endpoint has accepted the event.' },
  '410': { description: 'The endpoint wants no more events. Lectern disables the webhook.' },
  default: {
    description: 'The endpoint has not accepted the event. Lectern retries for 24 hours, and respects `Retry-After`.',
  },
};

/** Describes the requests that Lectern sends to webhooks (OpenAPI 3.1, `webhooks`). */
export const webhooksOf = (components: Components): Record<string, Record<string, object>> =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map(({ type, summary, description, payload }) => [
      type,
      {
        post: {
          operationId: `on${pascalCase(type.replace('.', '_'))}`,
          summary,
          description,
          tags: ['Webhooks'],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(payload, 'output', components) } },
          },
          responses: RESPONSES,
          security: [],
        },
      },
    ]),
  );
