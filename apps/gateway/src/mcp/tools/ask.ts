import { chat } from '@lectern/api-spec';
import { ChatReply } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { meterEvents, meterReply } from '#budgets/meter';
import { chatRequest } from '#chat/requests';
import type { Context } from '#context';
import { collectionIds, collectionNames } from '#mcp/collection-ids';
import { defineTool, documentLink, type Progress } from '#mcp/tool';
import { chatReply } from '#operations/chat/mapping';
import type { KeyedCall } from '#pipeline/operation';

const { message, conversationId } = chat.chatBody.shape;

const input = z.strictObject({
  question: message.describe('The question, in complete sentences'),
  collections: collectionNames.describe(
    'Names or ids of collections to answer from. If omitted, uses all collections that you can access',
  ),
  conversationId: conversationId.describe('The conversationId of an earlier answer, to continue the conversation'),
});

const output = z.object({
  answer: z.string().describe('With markers like [1] for the sources'),
  sources: z.array(z.object({ id: z.string(), title: z.string(), excerpt: z.string(), url: z.string().nullable() })),
  confidence: z.object({ score: z.number(), label: z.string() }).nullable(),
  conversationId: z.string(),
  model: z.string(),
});

function asText({ answer, sources, confidence, conversationId }: z.output<typeof output>): string {
  const cited = sources.map(({ id, title, excerpt, url }, index) => {
    return `[${index + 1}] ${title} (id: ${id}${url === null ? '' : `, ${url}`})\n    > ${excerpt.replaceAll(/\s+/g, ' ').trim()}`;
  });
  const confidenceLine =
    confidence === null ? [] : [`Confidence: ${confidence.label} (${confidence.score.toFixed(2)})`];
  return [answer, ...cited, ...confidenceLine, `Conversation: ${conversationId}`].join('\n\n');
}

/** Gets a reply, and reports its progress if the client asks for it. */
async function replyTo(
  ctx: Context,
  request: ReturnType<typeof chatRequest>,
  call: KeyedCall,
  progress: Progress | undefined,
): Promise<ChatReply> {
  const { chat: client } = ctx.clients;
  if (progress === undefined) return meterReply(ctx, call, {}, () => client.chat(request, onBehalfOf(call)));
  const reply = ChatReply.create();
  let done = 0;
  const report = async (text: string) => {
    done += 1;
    await progress(done, text);
  };
  await report('Searching the documents');
  for await (const { event } of meterEvents(ctx, call, {}, () => client.streamChat(request, onBehalfOf(call)))) {
    if (event?.$case === 'messageStart') Object.assign(reply, event.value);
    if (event?.$case === 'sources') {
      reply.sources = event.value.sources;
      await report(`Found ${reply.sources.length === 1 ? '1 source' : `${reply.sources.length} sources`}`);
    }
    if (event?.$case === 'contentDelta') {
      if (reply.content === '') await report('Writing the answer');
      reply.content += event.value.delta;
    }
    if (event?.$case === 'messageEnd') Object.assign(reply, event.value);
  }
  return reply;
}

export const ask = defineTool({
  name: 'ask',
  title: 'Ask the documents',
  description:
    "Answers a question from the organization's own documents, with cited passages and a confidence. Low confidence means that the documents do not answer it.",
  input,
  output,
  right: 'chat',
  usage: 'chat',
  // Not read-only, because it stores the conversation.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async (ctx, { question, ...rest }, call, progress) => {
    const collections = await collectionIds(ctx, rest.collections, call);
    const request = chatRequest({ message: question, ...rest, collections });
    const reply = chatReply(await replyTo(ctx, request, call, progress));
    const confidence = reply.answer_confidence;
    const data = {
      answer: reply.content,
      sources: reply.sources.map(({ url, ...source }) => ({ ...source, url: url || null })),
      confidence: confidence === null ? null : { score: confidence.score, label: String(confidence.label) },
      conversationId: reply.conversationId,
      model: reply.model,
    };
    return { text: asText(data), data, links: data.sources.map(documentLink) };
  },
});
