import { AppError, onBehalfOf } from '@lectern/service-kit';
import { feedbackRequest } from '#chat/requests';
import type { Work } from '#slack/answer';
import { findAsker } from '#slack/asker';
import { sentence } from '#slack/blocks';
import { personCall } from '#slack/person-call';
import { whisper } from '#slack/post';
import type { FeedbackTask } from '#slack/tasks';
import { textsIn } from '#slack/texts';

/** Errors of a reply that the person cannot see or rate. */
const INVISIBLE: readonly string[] = ['not_found', 'conflict', 'forbidden', 'invalid_request'];

/** Stores what somebody thinks of a reply, as this person. */
export async function giveFeedback(work: Work, task: FeedbackTask): Promise<void> {
  const { ctx, app, client, signal, log } = work;
  const { user, channel, thread, conversationId, messageId, language, feedback } = task;
  const texts = textsIn(language);
  const show = (text: string) => whisper(client, { channel, thread }, user, sentence(text));
  const asker = await findAsker(ctx.db, client, app, user);
  if (asker === 'program') return;
  if ('refusal' in asker) return show(texts.refusals[asker.refusal]);
  const call = personCall({ app, key: asker.key, isPublic: false }, signal, log);
  try {
    await ctx.clients.chat.setFeedback(feedbackRequest({ id: conversationId, messageId }, feedback), onBehalfOf(call));
  } catch (error) {
    if (error instanceof AppError && INVISIBLE.includes(error.code)) return show(texts.onlyAsker);
    throw error;
  }
  await show(texts.thanks);
}
