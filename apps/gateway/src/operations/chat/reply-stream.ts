import type { ChatEvent } from '@lectern/contracts';
import { type ClientCallOptions, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import { type Answer, stream } from '#http/answer';
import type { KeyedCall } from '#http/operation';
import { chatEventSchemas, chatEvents } from '#operations/chat/chat-events';

/** A reply that takes longer than this is broken off. */
const DEADLINE_MS = 600_000;
/** Who resumes a reply whose model is thinking would otherwise hear nothing, not even a ping, until its next word. */
const RESUME_PATIENCE_MS = 1_000;

/** The stream of a reply, as operations describe it. It outlives the beginning of a shutdown: its reply would be lost. */
export const REPLY_STREAM = {
  events: chatEventSchemas,
  terminal: 'message_end',
  resumable: false,
  continues: true,
} as const;

/**
 * Answers with the events of a reply: those that `begin` calls for, or, where the client names the last event that it received, those
 * that come after it.
 */
export function replyStream(
  { clients }: Context,
  call: KeyedCall,
  begin: (options: ClientCallOptions) => AsyncIterable<ChatEvent>,
): Answer {
  const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
  const { lastEventId } = call;
  if (lastEventId === undefined) return stream(chatEvents(begin(options)));
  return stream(chatEvents(clients.chat.resumeChat({ lastEventId }, options)), { patienceMs: RESUME_PATIENCE_MS });
}
