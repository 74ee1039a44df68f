import type { ChatEvent, CompleteRequest } from '@lectern/contracts';
import { AppError, onBehalfOf } from '@lectern/service-kit';
import { meterEvents } from '#budgets/meter';
import type { Context } from '#context';
import { stream } from '#http/api-response';
import { deleteResponsesAbout } from '#idempotency/request-store';
import { chatChunks, chatCompletion, chatFormat, DONE } from '#openai/chat-reply';
import { chatBody, chatCompletionRequest } from '#openai/chat-request';
import { embeddingsBody, embeddingsList, embedRequest } from '#openai/embeddings';
import { documentUrls, posting, reading, reply } from '#openai/endpoint';
import { answererOf, getModel, listModels, modelError } from '#openai/models';
import { collect } from '#openai/reply';
import { completeResponse, responseEvents, responseFormat, storedResponse } from '#openai/responses-reply';
import { echoOf, replyIdOf, responsesBody, responsesRequest } from '#openai/responses-request';
import type { KeyedCall, KeyedOperation } from '#pipeline/operation';

/** A longer reply is cancelled. */
const DEADLINE_MS = 600_000;
/** Encoding a full request can take long on a slow provider. */
const EMBED_MS = 110_000;

const now = () => Math.floor(Date.now() / 1000);

/** Only the pipeline reads this: the events have OpenAI's names. */
const STREAM = { name: 'OpenAi', events: {}, terminal: DONE, restartable: false };

/** Answers a request with the events of the chat service, within the budget of the caller. */
async function* answer(
  ctx: Context,
  call: KeyedCall,
  model: string,
  request: CompleteRequest,
): AsyncGenerator<ChatEvent> {
  const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
  const answerer = await answererOf(ctx, call, model);
  const start = () => ctx.clients.completions.complete({ ...request, ...answerer }, options);
  try {
    yield* meterEvents(ctx, call, { model: answerer.agentId === undefined ? answerer.model : undefined }, start);
  } catch (error) {
    throw modelError(error, model);
  }
}

const createChatCompletion = posting(
  { id: 'createChatCompletion', path: '/v1/chat/completions', usage: 'chat' },
  chatBody,
  async (ctx, body, call) => {
    const events = answer(ctx, call, body.model, chatCompletionRequest(body));
    const frame = { model: body.model, created: now(), urlOf: documentUrls(ctx, call) };
    if (body.stream !== true) {
      const collected = await collect(events);
      return reply(chatCompletion(collected, frame), { documents: collected.documents });
    }
    const chunks = chatChunks(events, frame, body.stream_options?.include_usage === true);
    return { ...stream(chunks), format: chatFormat };
  },
  STREAM,
);

const createResponse = posting(
  { id: 'createResponse', path: '/v1/responses', usage: 'chat' },
  responsesBody,
  async (ctx, body, call) => {
    const events = answer(ctx, call, body.model, responsesRequest(body));
    const frame = { echo: echoOf(body), created: now(), urlOf: documentUrls(ctx, call) };
    if (body.stream !== true) {
      const collected = await collect(events);
      const response = completeResponse(collected, frame);
      return reply(response, { id: `msg_${collected.key}`, documents: collected.documents });
    }
    return { ...stream(responseEvents(events, frame)), format: responseFormat() };
  },
  STREAM,
);

const getResponse = reading({ id: 'getResponse', path: '/v1/responses/{id}' }, async (ctx, id, call) => {
  const completion = await ctx.clients.completions.getCompletion({ id: replyIdOf(id) }, onBehalfOf(call));
  return storedResponse(completion, documentUrls(ctx, call));
});

const deleteResponse = reading(
  { id: 'deleteResponse', path: '/v1/responses/{id}', method: 'delete' },
  async (ctx, id, call) => {
    await ctx.clients.completions.deleteCompletion({ id: replyIdOf(id) }, onBehalfOf(call));
    await deleteResponsesAbout(ctx.db, [replyIdOf(id)]);
    return { id, object: 'response', deleted: true };
  },
);

const listOpenAiModels = reading({ id: 'listOpenAiModels', path: '/v1/models' }, async (ctx, _id, call) => ({
  object: 'list',
  data: await listModels(ctx, call),
}));

const getOpenAiModel = reading({ id: 'getOpenAiModel', path: '/v1/models/{id}' }, async (ctx, id, call) =>
  getModel(ctx, call, id),
);

const createEmbeddings = posting(
  { id: 'createEmbeddings', path: '/v1/embeddings', usage: 'other', isPure: true },
  embeddingsBody,
  async (ctx, body, call) => {
    const request = embedRequest(body);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(EMBED_MS)]);
    const response = await ctx.clients.search.embed(request, { ...onBehalfOf(call), signal, deadline: EMBED_MS });
    if (response.embeddings.length !== request.texts.length) {
      throw new AppError('upstream_error', 'The embedding model returned another number of vectors. Try again.');
    }
    return reply(embeddingsList(response, body));
  },
);

/** The operations of the OpenAI-compatible API. */
export const openAiOperations: readonly KeyedOperation[] = [
  createChatCompletion,
  createResponse,
  getResponse,
  deleteResponse,
  listOpenAiModels,
  getOpenAiModel,
  createEmbeddings,
];
