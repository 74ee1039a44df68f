import type { RegenerateRequest } from '@lectern/contracts';
import type { AnewRequest } from '#turn/turn-request';

/** A request to answer anew; what is wrong with it turns up in the turn. */
export function readRegenerateRequest(request: RegenerateRequest): AnewRequest {
  const { conversationId, collectionIds, model, maxTokens } = request;
  return { kind: 'anew', conversationId, collections: [...new Set(collectionIds)], model, maxTokens };
}
