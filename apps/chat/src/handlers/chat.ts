import type { ChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { startTurn } from '#handlers/start-turn';
import { foldReply } from '#turn/fold-reply';

/** The whole reply at once. */
export const chat = (context: Context) => async (request: ChatRequest, call: ServiceCall) => {
  const { confidence, sources, ...reply } = await foldReply(startTurn(context, request, call));
  return { ...reply, sources: [...sources], answerConfidence: confidence };
};
