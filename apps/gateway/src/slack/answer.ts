import { type Confidence, MessageStatus, type Source } from '@lectern/contracts';
import { AppError, type Logger, onBehalfOf } from '@lectern/service-kit';
import { mrkdwnToMarkdown } from '@lectern/slack-markup';
import type { WebClient } from '@slack/web-api';
import { isBudgetError } from '#budgets/budget-errors';
import { meterEvents } from '#budgets/meter';
import { chatRequest } from '#chat/requests';
import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import type { StoredKey } from '#keys/key-store';
import { limitPerMinute } from '#limits/limit-request';
import type { KeyedCall } from '#pipeline/operation';
import { findAsker } from '#slack/asker';
import { type Message, replyMessages, sentence, writing } from '#slack/blocks';
import { type Claimed, saveProgress } from '#slack/inbox';
import { AccessLost, personCall, requireAccess, watchAccess } from '#slack/person-call';
import { directChannel, type Place, postMessage, updateMessage, whisper } from '#slack/post';
import { slackProblem } from '#slack/slack-client';
import type { QuestionTask } from '#slack/tasks';
import { languageOf, type Refusal, type TextLanguage, type Texts, textsIn } from '#slack/texts';

/** A reply that takes longer is cancelled. */
const DEADLINE_MS = 300_000;

/** Names of other people and channels in a question are not looked up. */
const NO_NAMES = { user: () => undefined, channel: () => undefined };
const MAX_QUOTE = 200;

/** The work on one event. */
export interface Work {
  readonly ctx: Context;
  readonly app: SlackApp;
  readonly client: WebClient;
  readonly event: Claimed;
  /** Aborted if the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A thread of Slack. */
type Thread = Place & { readonly thread: string };

/** A question in progress. */
interface Question extends Work {
  readonly task: QuestionTask;
  readonly key: StoredKey;
  readonly place: Thread;
  /** True if others read the reply. */
  readonly isPublic: boolean;
  readonly language: TextLanguage;
  readonly texts: Texts;
}

/** Explains to somebody why there is no answer: only to this person. */
async function refuse({ client }: Work, task: QuestionTask, refusal: Refusal): Promise<void> {
  const message = sentence(textsIn(languageOf(task.text)).refusals[refusal]);
  const { channel, thread, user, isDirect } = task;
  if (isDirect) await postMessage(client, { channel, thread }, message);
  else await whisper(client, { channel, thread }, user, message);
}

/** Starts a thread of direct messages with a question from a channel, once. */
async function directPlace({ ctx, client, event }: Work, task: QuestionTask, texts: Texts): Promise<Thread> {
  const { channel, thread, user } = task;
  const known = event.progress;
  if (known.channel !== undefined && known.thread !== undefined)
    return { channel: known.channel, thread: known.thread };
  await whisper(client, { channel, thread }, user, sentence(texts.sentDirectly));
  const direct = await directChannel(client, user);
  const question = mrkdwnToMarkdown(task.text, NO_NAMES).replaceAll(/\s+/g, ' ').slice(0, MAX_QUOTE);
  const first = await postMessage(client, { channel: direct }, sentence(`${texts.direct} ${question}`));
  await saveProgress(ctx.db, event, { channel: direct, thread: first });
  return { channel: direct, thread: first };
}

/**
 * Decides where the reply is posted, and whether others read it. Direct messages have one reader. In a
 * channel that the admin allowed and that has only full members, the reply is public. Everywhere else,
 * it is a direct message.
 */
async function placeOf(work: Work, task: QuestionTask, texts: Texts): Promise<{ place: Thread; isPublic: boolean }> {
  const { ctx, app, client } = work;
  const { channel, thread, isDirect, isShared, isPrivate } = task;
  const place = { channel, thread };
  if (isDirect) return { place, isPublic: false };
  const isAllowed = !isPrivate && !isShared && app.channels.includes(channel);
  const isPublic = isAllowed && (await ctx.slack.audiences.isInternal(app, client, channel));
  return { place: isPublic ? place : await directPlace(work, task, texts), isPublic };
}

/** Finds a message of an earlier attempt that stopped before it stored the timestamp. */
async function adopted({ client, event, task, place }: Question): Promise<string | undefined> {
  // The app cannot read channels, and does not need to.
  if (event.attempts <= 1 || !task.isDirect) return undefined;
  const { channel, thread } = place;
  const { messages = [] } = await client.conversations.replies({
    channel,
    ts: thread,
    include_all_metadata: true,
    limit: 100,
  });
  const own = messages.find(({ metadata }) => {
    const { mark } = Object(metadata?.event_payload);
    return metadata?.event_type === 'lectern_reply' && mark === event.key;
  });
  return own?.ts;
}

/** Posts the message that becomes the reply, once. */
async function start(question: Question): Promise<void> {
  const { ctx, client, place, event, texts } = question;
  if (event.progress.posted.length > 0) return;
  const ts = (await adopted(question)) ?? (await postMessage(client, place, sentence(texts.thinking), event.key));
  await saveProgress(ctx.db, event, { channel: place.channel, posted: [ts] });
}

/** Shows the messages of a reply: the first replaces the placeholder, the others follow in its thread. */
async function show({ ctx, client, place, event }: Question, messages: readonly Message[]): Promise<void> {
  for (const [at, message] of messages.entries()) {
    const { posted } = event.progress;
    const ts = posted[at];
    if (ts !== undefined) await updateMessage(client, place.channel, ts, message);
    else await saveProgress(ctx.db, event, { posted: [...posted, await postMessage(client, place, message)] });
  }
}

/** The thread of a question, which has a conversation for each person. */
const threadOf = ({ app, key, place: { channel, thread } }: Question) => ({
  appId: app.id,
  channel,
  thread,
  personId: key.pairId,
});

/**
 * Returns the conversation to continue. A conversation that the person continued elsewhere may contain
 * what others must not read, so a public reply starts a new one.
 */
async function conversationOf(question: Question, call: KeyedCall): Promise<string | undefined> {
  const { ctx, isPublic } = question;
  const where = { appId_channel_thread_personId: threadOf(question) };
  const thread = await ctx.db.slackThread.findUnique({ where });
  if (thread === null) return undefined;
  try {
    const { messages } = await ctx.clients.chat.getConversation({ id: thread.conversationId }, onBehalfOf(call));
    const isUnchanged = messages.at(-1)?.id === thread.lastMessageId;
    return isPublic && !isUnchanged ? undefined : thread.conversationId;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** A stored reply. */
interface Reply {
  readonly content: string;
  readonly sources: readonly Source[];
  readonly confidence: Confidence | undefined;
  readonly isTimedOut: boolean;
}

/** Reads a reply as its reader may see it now. Returns undefined if it was not stored. */
async function storedReply({ ctx, event }: Question, call: KeyedCall): Promise<Reply | undefined> {
  const { conversationId, messageId } = event.progress;
  if (conversationId === undefined || messageId === undefined) return undefined;
  try {
    const { messages } = await ctx.clients.chat.getConversation({ id: conversationId }, onBehalfOf(call));
    const found = messages.find(({ id }) => id === messageId);
    if (found === undefined) return undefined;
    const { content, sources, answerConfidence, status } = found;
    return { content, sources, confidence: answerConfidence, isTimedOut: status === MessageStatus.TIMED_OUT };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Shows what is written so far, as often as Slack allows. A failure only skips one update. */
async function showProgress(question: Question, written: string): Promise<void> {
  const { ctx, app, client, place, event } = question;
  const [ts] = event.progress.posted;
  if (ts === undefined || written.trim() === '' || !ctx.slack.pace.tryTake(app.id)) return;
  try {
    await updateMessage(client, place.channel, ts, writing(written));
  } catch (error) {
    const problem = slackProblem(error);
    if (problem === undefined || problem.kind === 'dead') throw error;
    if (problem.kind === 'rate') ctx.slack.pace.pause(app.id, problem.waitMs);
  }
}

/** Asks the chat service. Its stream is metered like that of a session. */
async function ask(question: Question, call: KeyedCall): Promise<void> {
  const { ctx, app, task } = question;
  const taken = await ctx.limiter.take(`s:${call.key.pairId}`, limitPerMinute(ctx.config, call.key));
  if (!taken.admitted) throw new AppError('rate_limited', 'The person asks too often.');
  const conversationId = await conversationOf(question, call);
  const body = {
    message: mrkdwnToMarkdown(task.text, NO_NAMES),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(app.collections.length === 0 ? {} : { collections: app.collections }),
    ...(app.agentId === null ? {} : { agentId: app.agentId }),
  };
  const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
  let written = '';
  for await (const { event } of meterEvents(ctx, call, {}, () =>
    ctx.clients.chat.streamChat(chatRequest(body), options),
  )) {
    if (event?.$case === 'messageStart') {
      await saveProgress(ctx.db, question.event, {
        conversationId: event.value.conversationId,
        messageId: event.value.id,
      });
    }
    if (event?.$case !== 'contentDelta') continue;
    written += event.value.delta;
    await showProgress(question, written);
  }
}

/** Shows a stored reply, after the last check of the person's access, and remembers the conversation. */
async function finish(question: Question, call: KeyedCall): Promise<void> {
  const { ctx, app, key, language, isPublic, task, event } = question;
  const { conversationId, messageId } = event.progress;
  const reply = await storedReply(question, call);
  if (reply === undefined || conversationId === undefined || messageId === undefined) {
    throw new AppError('unavailable', 'The chat service did not store the reply.');
  }
  const { PUBLIC_URL } = ctx.config;
  const url = PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}/ask/${conversationId}`;
  const { content: markdown, sources, confidence, isTimedOut } = reply;
  const publicQuestion = isPublic ? task.text : undefined;
  await requireAccess(ctx, { app, key, isPublic });
  await show(
    question,
    replyMessages({
      markdown,
      sources,
      confidence,
      isTimedOut,
      conversationId,
      messageId,
      language,
      url,
      publicQuestion,
    }),
  );
  const thread = threadOf(question);
  const last = { conversationId, lastMessageId: messageId };
  await ctx.db.slackThread.upsert({
    where: { appId_channel_thread_personId: thread },
    create: { ...thread, ...last },
    update: last,
  });
}

/** Explains in the place of the placeholder why there is no answer, or to the person only. */
async function explain(work: Work, task: QuestionTask, refusal: Refusal): Promise<void> {
  const { channel, posted } = work.event.progress;
  const [ts] = posted;
  if (ts === undefined || channel === undefined) await refuse(work, task, refusal);
  else await updateMessage(work.client, channel, ts, sentence(textsIn(languageOf(task.text)).refusals[refusal]));
}

/** Why a question cannot be answered, for the person. Undefined for errors that may pass. */
function refusalFor(error: unknown): Refusal | undefined {
  if (error instanceof AccessLost) return 'noAccess';
  if (isBudgetError(error)) return 'budget';
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'rate_limited') return 'busy';
  if (error.code === 'not_found' || error.code === 'forbidden') return 'changed';
  return error.code === 'invalid_request' ? 'failed' : undefined;
}

/** Explains a failure after the last attempt. */
export const explainFailure = (work: Work, task: QuestionTask): Promise<void> => explain(work, task, 'failed');

/** Answers a question as the person who asks. */
export async function answerQuestion(work: Work, task: QuestionTask): Promise<void> {
  const { ctx, app, client, log } = work;
  const asker = await findAsker(ctx.db, client, app, task.user);
  if (asker === 'program') return;
  if ('refusal' in asker) return refuse(work, task, asker.refusal);
  if (task.text === '') return refuse(work, task, 'empty');
  const language = languageOf(task.text);
  const texts = textsIn(language);
  const { key } = asker;
  const { place, isPublic } = await placeOf(work, task, texts);
  const question: Question = { ...work, task, key, place, isPublic, language, texts };
  const watch = watchAccess(ctx, { app, key, isPublic });
  const signal = AbortSignal.any([work.signal, watch.signal]);
  const call = personCall({ app, key, isPublic }, signal, log);
  const count = (failed: boolean) =>
    ctx.usage.count(call.usage, { failed, durationMs: performance.now() - call.startedAt });
  try {
    await start(question);
    // After a crash, the reply may be stored already: asking again would answer twice.
    if ((await storedReply(question, call)) === undefined) {
      await ask(question, call);
      count(false);
    }
    await finish(question, call);
  } catch (error) {
    const cause = watch.signal.aborted ? watch.signal.reason : error;
    const refusal = work.signal.aborted ? undefined : refusalFor(cause);
    if (refusal === undefined) throw error;
    count(true);
    await explain(work, task, refusal);
  } finally {
    watch.stop();
  }
}
