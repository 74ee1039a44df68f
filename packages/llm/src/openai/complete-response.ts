import { z } from 'zod';
import type { ReplyChunk } from '#openai/reply-chunk';
import { type ProviderName, unexpectedResponse } from '#provider/provider-failure';

/** The first character of an event's field or of a comment. JSON and HTML start with others. */
const EVENT_START = /^[:deir]/;

const optionalUnknown = z.unknown().optional();
const toolArguments = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((input) => JSON.stringify(input)),
]);
const toolCall = z.object({
  id: z.string().optional(),
  function: z.object({ name: z.string(), arguments: toolArguments.optional() }),
});
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: optionalUnknown,
          refusal: optionalUnknown,
          tool_calls: z.array(toolCall).nullish(),
        }),
        finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).catch('stop'),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: optionalUnknown,
      completion_tokens: optionalUnknown,
      total_tokens: optionalUnknown,
      prompt_tokens_details: z.object({ cached_tokens: optionalUnknown }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
const failed = z.object({
  error: z.union([z.record(z.string(), z.unknown()), z.string().transform((message) => ({ message }))]),
});

/**
 * Returns whether a response is an event stream, by its content type or, if that is wrong, by its
 * first character.
 */
export async function isEventStream(response: Response): Promise<boolean> {
  if (response.headers.get('content-type')?.includes('text/event-stream')) return true;
  const reader = response.clone().body?.getReader();
  const decoder = new TextDecoder();
  let beginning = '';
  while (reader && beginning === '') {
    const { done, value } = await reader.read();
    if (done) break;
    beginning = decoder.decode(value, { stream: true }).trimStart();
  }
  // Not awaited: canceling a clone completes only when the original has been read.
  reader?.cancel().catch(() => undefined);
  return EVENT_START.test(beginning);
}

/**
 * Reads the reply of a server that did not stream although requested. Throws the client's error if
 * the response contains one, otherwise AppError `upstream_error`.
 */
export async function readCompleteResponse(response: Response, name: ProviderName): Promise<ReplyChunk> {
  const body = parseJson(await response.text());
  const error = failed.safeParse(body).data?.error;
  if (error) {
    const { APIError } = await import('openai');
    throw new APIError(undefined, error, undefined, response.headers);
  }
  const { data } = completion.safeParse(body);
  if (data === undefined) throw unexpectedResponse(name);
  return {
    usage: data.usage,
    choices: data.choices.map(({ message: { tool_calls, ...rest }, finish_reason }) => ({
      delta: { ...rest, tool_calls: tool_calls?.map((call, index) => ({ ...call, index })) },
      finish_reason,
    })),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
