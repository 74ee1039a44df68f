import { chat } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { meterReply } from '#budgets/meter';
import { defineTool } from '#mcp/tool';
import { chatReply, chatRequest } from '#operations/chat/mapping';

const { message, collections, conversationId } = chat.chatBody.shape;

const input = z.strictObject({
  question: message.describe('The question, in complete sentences'),
  collections: collections.describe(
    "Ids of collections to answer from. If omitted, uses all collections in the key's scope",
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
  run: async (ctx, { question, ...rest }, call) => {
    const request = chatRequest({ message: question, ...rest });
    const reply = chatReply(await meterReply(ctx, call, {}, () => ctx.clients.chat.chat(request, onBehalfOf(call))));
    const confidence = reply.answer_confidence;
    const data = {
      answer: reply.content,
      sources: reply.sources.map(({ url, ...source }) => ({ ...source, url: url || null })),
      confidence: confidence === null ? null : { score: confidence.score, label: String(confidence.label) },
      conversationId: reply.conversationId,
      model: reply.model,
    };
    return { text: asText(data), data };
  },
});
