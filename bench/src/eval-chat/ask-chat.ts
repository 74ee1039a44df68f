import { z } from 'zod';
import type { Api } from '#system/api';

const reply = z.object({
  data: z.object({
    content: z.string(),
    sources: z.array(z.object({ id: z.string(), excerpt: z.string() })),
    answer_confidence: z.object({ score: z.number(), label: z.enum(['high', 'medium', 'low']) }),
  }),
});

/** The reply to one question. */
export interface ChatAnswer {
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly excerpt: string }[];
  readonly score: number;
  readonly label: 'high' | 'medium' | 'low';
}

/** Sends one question to the builtin model in a new conversation with these collections. */
export async function askChat(
  api: Api,
  teamId: string,
  message: string,
  collections: readonly string[],
): Promise<ChatAnswer> {
  const body = { message, collections, model: 'builtin-extractive' };
  const { content, sources, answer_confidence } = reply.parse(
    await api.call('POST', `/api/v1/teams/${teamId}/chat`, body),
  ).data;
  return { content, sources, score: answer_confidence.score, label: answer_confidence.label };
}
