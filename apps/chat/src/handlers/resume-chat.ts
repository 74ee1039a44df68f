import { type ChatEvent, MAX_APPROVAL_WAIT_MS, type ResumeChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toChatEvent } from '#handlers/chat-event';
import { parsePosition } from '#replies/reply-position';
import { resumeReply } from '#replies/resume-reply';

/**
 * Streams the events of a reply after a given event. Any replica can resume it.
 */
export const resumeChat = ({ config, db, services }: Context) =>
  async function* resumeChat(
    { lastEventId }: ResumeChatRequest,
    call: ServiceCall,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const { caller, signal } = call;
    const within = AbortSignal.any([signal, AbortSignal.timeout(config.CHAT_TIMEOUT_MS + MAX_APPROVAL_WAIT_MS)]);
    for await (const event of resumeReply(
      { db, caller, services: services.for(call) },
      parsePosition(lastEventId),
      within,
    ))
      yield toChatEvent(event);
  };
