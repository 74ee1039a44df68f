import type { RegenerateRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readRegenerateRequest } from '#handlers/read-regenerate-request';
import { startTurn } from '#handlers/start-turn';
import { toChatReply } from '#handlers/to-chat-reply';

/** Another reply to the last message of a conversation, in place of the one before. */
export const regenerate = (context: Context) => (request: RegenerateRequest, call: ServiceCall) =>
  toChatReply(startTurn(context, readRegenerateRequest(request), call, 'whole'));
