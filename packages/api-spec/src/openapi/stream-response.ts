import { z } from 'zod';
import { flag, text } from '#fields';
import { addComponent, type Components, nameIn, pascalCase, refTo } from '#openapi/components';
import { toJsonSchema } from '#openapi/json-schema';
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

/** Adds one event to the components: `ReplyContentDeltaEvent` with `ReplyContentDelta` as its data. */
function eventSchema(stream: string, event: string, data: z.ZodType, hasId: boolean, components: Components) {
  const converted = toJsonSchema(data, 'output', components);
  const name = `${stream}${pascalCase(event)}`;
  const described = { description: `The data of the event \`${event}\`.`, ...converted };
  const dataRef = nameIn(converted) === undefined ? addComponent(components, name, described) : converted;
  return addComponent(components, `${name}Event`, {
    type: 'object',
    description: `The event \`${event}\`.`,
    required: ['event', 'data'],
    properties: {
      event: { type: 'string', const: event, description: 'The name of the event.' },
      data: dataRef,
      ...(hasId ? { id: EVENT_ID } : {}),
    },
  });
}

/**
 * A response with Server-Sent Events. OpenAPI 3.1 cannot describe them, so the schema is one event.
 */
export function streamResponse(
  operationId: string,
  { name: stream, events, terminal, resumable }: StreamSpec,
  components: Components,
) {
  const refs = new Map(
    Object.entries(events).map(([event, data]) => [
      event,
      eventSchema(stream, event, data, resumable === true, components),
    ]),
  );
  refs.set('error', eventSchema('Stream', 'error', streamError, false, components));
  const name = `${pascalCase(operationId)}Event`;
  const description =
    `One event of the stream: the name from its \`event:\` line and the JSON from its \`data:\` line. The stream ends with exactly one ` +
    `\`${terminal}\` or \`error\`. Lines that begin with a colon are comments.`;
  addComponent(components, name, {
    description,
    oneOf: [...refs.values()],
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries([...refs].map(([event, { $ref }]) => [event, $ref])),
    },
  });
  return { content: { 'text/event-stream': { schema: refTo(name) } } };
}
