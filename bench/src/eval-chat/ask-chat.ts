import { type RatedReply, replyForm } from '@lectern/grounding';
import { z } from 'zod';
import type { Api } from '#system/api';

const reply = z.object({
  data: z.object({
    content: z.string(),
    sources: z.array(z.object({ id: z.string(), excerpt: z.string() })),
    answer_confidence: z.object({
      score: z.number(),
      label: z.enum(['high', 'medium', 'low']),
      signals: z.object({ violationFree: z.number() }).optional(),
    }),
  }),
});

/** The reply to one question. */
export interface ChatAnswer extends RatedReply {
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly excerpt: string }[];
  readonly label: 'high' | 'medium' | 'low';
}

/** Sends one question to a model in a new conversation with these collections. */
export type Ask = (message: string, collections: readonly string[]) => Promise<ChatAnswer>;

/** Creates a function that asks one model of a team. */
export function createAsk(api: Api, teamId: string, model: string): Ask {
  return async (message, collections) => {
    const body = await api.call('POST', `/api/v1/teams/${teamId}/chat`, { message, collections, model });
    const { content, sources, answer_confidence: confidence } = reply.parse(body).data;
    const { score, label, signals } = confidence;
    // Little support reduces the signal too, so a reply that is `low` does not show whether it keeps the rules.
    const violationFree = label === 'low' ? undefined : signals?.violationFree;
    const form = replyForm({ content, sources, violationFree });
    return { content, sources, score, label, form };
  };
}
