import { z } from 'zod';
import { flag, text } from '#fields';
import { type Components, toJsonSchema } from '#openapi/json-schema';
import type { StreamSpec } from '#operation';

/** The event that ends a failed stream. */
const streamError = z
  .object({
    code: text('An error code.', 'unavailable'),
    message: text('What failed and what to do.'),
    retryable: flag('True if the same request can succeed later.'),
    requestId: text('The id of the request.', 'req_01h455vb4pex5vsknk084sn02q'),
  })
  .meta({
    id: 'StreamError',
    description: 'Why a stream failed.',
    examples: [
      {
        code: 'unavailable',
        message: 'The service is restarting. Try again shortly.',
        retryable: true,
        requestId: 'req_01h455vb4pex5vsknk084sn02q',
      },
    ],
  });

const EVENT_ID = { type: 'string', description: 'The id of the event. Send it as `Last-Event-ID` to resume.' } as const;

const pascalCase = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/**
 * A response with Server-Sent Events. OpenAPI 3.1 cannot describe them, so the schema is one event.
 */
export function streamResponse(
  operationId: string,
  { events, terminal, resumable }: StreamSpec,
  components: Components,
) {
  const all: readonly (readonly [string, z.ZodType])[] = [...Object.entries(events), ['error', streamError]];
  const oneOf = all.map(([event, data]) => ({
    type: 'object',
    title: event,
    required: ['event', 'data'],
    properties: {
      event: { const: event, description: 'The name of the event.' },
      data: describedData(toJsonSchema(data, 'output', components)),
      ...(resumable && event !== 'error' ? { id: EVENT_ID } : {}),
    },
  }));
  const name = `${pascalCase(operationId)}Event`;
  const description =
    `One event of the stream: the name from its \`event:\` line and the JSON from its \`data:\` line. The stream ends with exactly one ` +
    `\`${terminal}\` or \`error\`. Lines that begin with a colon are comments.`;
  components.set(name, { description, oneOf });
  return { content: { 'text/event-stream': { schema: { $ref: `#/components/schemas/${name}` } } } };
}

const describedData = (schema: Readonly<Record<string, unknown>>) =>
  '$ref' in schema ? schema : { ...schema, description: 'The data of the event.' };
