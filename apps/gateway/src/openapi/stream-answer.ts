import { z } from 'zod';
import type { EventCatalogue } from '#http/operation';
import { type Components, toJsonSchema } from '#openapi/json-schema';

/** The event that ends a stream which failed on its way. */
export const streamError = z
  .object({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'True where asking again may help' }),
    requestId: z.string(),
  })
  .meta({
    id: 'StreamError',
    examples: [
      {
        code: 'unavailable',
        message: 'The service is restarting. Try again shortly.',
        retryable: true,
        requestId: 'req_01h455vb4pex5vsknk084sn02q',
      },
    ],
  });

const PLACE = { type: 'string', description: 'The place after the event, for `Last-Event-ID`' } as const;

const pascal = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** An answer of Server-Sent Events. OpenAPI 3.1 has no form of its own for it: the schema is of one event. */
export function streamAnswer(
  operationId: string,
  { events, terminal, continues }: EventCatalogue,
  components: Components,
) {
  const all: readonly (readonly [string, z.ZodType])[] = [...Object.entries(events), ['error', streamError]];
  const oneOf = all.map(([event, data]) => ({
    type: 'object',
    title: event,
    required: ['event', 'data'],
    properties: {
      event: { const: event },
      data: toJsonSchema(data, 'output', components),
      ...(continues && event !== 'error' ? { id: PLACE } : {}),
    },
  }));
  const name = `${pascal(operationId)}Event`;
  const description =
    `One event of the stream: the name from its \`event:\` line, the JSON from its \`data:\` line. The stream ends with exactly one ` +
    `\`${terminal}\` or \`error\`. Lines that begin with a colon are comments.`;
  components.set(name, { description, oneOf });
  return { content: { 'text/event-stream': { schema: { $ref: `#/components/schemas/${name}` } } } };
}
