import type { ClaimedScheduleDelivery, EndScheduleDeliveryRequest, Message } from '@lectern/contracts';
import { AppError, toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Person } from '#gen/prisma/client';
import { findPerson } from '#identity/person-store';
import type { StoredKey } from '#keys/key-store';
import { MailError } from '#mail/mailer';
import { safeHtml } from '#mail/safe-html';
import { PASSING_FAILURES } from '#pipeline/passing-failures';
import { findOwner, maySend, ownerCall } from '#schedules/owner';
import { readReply } from '#schedules/reply';
import { type Result, resultMarkdown, slackMarkdown, webAddress } from '#schedules/result-text';
import { postToChannel } from '#slack/post-to-channel';
import { findCreators, mayReceive } from '#webhooks/creators';

const MAX_QUESTION = 300;
const ATTEMPT_MS = 60_000;
/** Failures that another attempt can change. */
const PASSING = [...PASSING_FAILURES, 'timeout', 'cancelled', 'rate_limited'];

/** The outcome of an attempt. */
export type Attempt = Pick<EndScheduleDeliveryRequest, 'failure' | 'result'>;

/** A failure whose message is for the people of the team. */
class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean) {
    super(message);
    this.isRetryable = isRetryable;
  }
}

const final = (message: string) => new DeliveryFailed(message, false);
const retryable = (message: string) => new DeliveryFailed(message, true);

const DELIVERED: Attempt = { failure: undefined, result: undefined };

/** A delivery with its result, as the owner may read it now. */
interface Work {
  readonly ctx: Context;
  readonly delivery: ClaimedScheduleDelivery;
  readonly owner: StoredKey;
  readonly reply: Message;
  readonly result: Result;
}

/** The event itself is recorded by the agent service: from there on, it is like any other. */
async function toWebhook({ ctx, delivery, reply }: Work, webhookId: string): Promise<Attempt> {
  const { teamId, collectionIds } = delivery;
  const webhook = await ctx.db.webhook.findFirst({ where: { id: webhookId, teamId, deletedAt: null } });
  if (webhook === null) throw final('The webhook was deleted.');
  if (!webhook.enabled) throw retryable('The webhook is disabled. Enable it.');
  const creator = (await findCreators(ctx.db, [webhook], new Date())).get(webhook.createdBy);
  if (creator !== undefined && !mayReceive(creator, webhook, { type: 'run.completed', collectionIds })) {
    throw final(
      'The webhook receives no events of this agent, because of its collections or the rights of its creator.',
    );
  }
  const sources = reply.sources.map(({ id, title, url }) => ({ id, title, url: webAddress(url) }));
  return { failure: undefined, result: { content: reply.content, sources } };
}

async function toSlack({ ctx, delivery, result }: Work, appId: string, channel: string): Promise<Attempt> {
  await postToChannel(ctx, { teamId: delivery.teamId, appId, channel, markdown: slackMarkdown(result) });
  return DELIVERED;
}

/** Only active people of the team get email, at the address of their account. */
async function recipient({ db }: Context, teamId: string, personId: string): Promise<Person> {
  const person = await findPerson(db, teamId, personId);
  if (person === undefined || person.status !== 'active')
    throw final('The recipient is not an active person of the team.');
  return person;
}

async function toMailbox({ ctx, delivery, owner, result }: Work, personId: string): Promise<Attempt> {
  const { teamId, runId, number, conversationId, scheduleName, agentName } = delivery;
  if (ctx.mailer === undefined) throw retryable('Lectern has no mail server. The operator must set SMTP_URL.');
  const { name, email } = await recipient(ctx, teamId, personId);
  const { PUBLIC_URL } = ctx.config;
  const isOwn = personId === owner.pairId;
  const page = isOwn && PUBLIC_URL !== undefined ? `${PUBLIC_URL}/ask/${conversationId}` : undefined;
  const reason = isOwn
    ? 'You scheduled this agent in Lectern.'
    : `${owner.person?.email ?? 'Your team'} scheduled this agent in Lectern. The result contains what they may read.`;
  const footer = [`${agentName}: ${delivery.question.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_QUESTION)}`, reason];
  const markdown = resultMarkdown(result);
  const text = [markdown, '', '-- ', ...footer, ...(page === undefined ? [] : [page])].join('\n');
  const open = page === undefined ? '' : `<p><a href="${escapeHtml(page)}">Open in Lectern</a></p>`;
  const html = `${safeHtml(markdown)}\n<hr>\n<p><small>${footer.map(escapeHtml).join('<br>')}</small></p>${open}`;
  const to = { name, address: email };
  await ctx.mailer.send({ id: `${runId}.${number}`, to, subject: oneLine(scheduleName), text, html });
  return DELIVERED;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

async function send(work: Work): Promise<Attempt> {
  const { delivery, owner } = work;
  const target = delivery.target?.target;
  if (target !== undefined && !maySend(owner, { type: target.$case, ...target.value })) {
    throw final(
      'The owner of the schedule may no longer send results to others: that needs an admin, or a key with the right "keys".',
    );
  }
  switch (target?.$case) {
    case 'webhook':
      return toWebhook(work, target.value.webhookId);
    case 'slack':
      return toSlack(work, target.value.appId, target.value.channel);
    case 'email':
      return toMailbox(work, target.value.personId);
    default:
      throw retryable('This version of Lectern does not know the target.');
  }
}

function failureOf(error: unknown): NonNullable<Attempt['failure']> {
  if (error instanceof DeliveryFailed || error instanceof MailError) {
    return { message: error.message, retryable: error.isRetryable, waitMs: 0 };
  }
  const { code, message, details } = toAppError(error);
  const { retryAfter } = Object(details);
  const waitMs = typeof retryAfter === 'number' ? retryAfter * 1_000 : 0;
  return { message, retryable: PASSING.includes(code), waitMs };
}

/** Delivers a result to one place, with what the owner of the schedule may read and send now. */
export async function deliver(ctx: Context, delivery: ClaimedScheduleDelivery, stop: AbortSignal): Promise<Attempt> {
  const { teamId, ownerId, runId, scheduleName, agentName } = delivery;
  const log = ctx.log.child({ scheduleRun: runId });
  const deadline = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const owner = await findOwner(ctx.db, teamId, ownerId);
    if (owner === undefined) throw final('The owner of the schedule is no longer active, or may not manage schedules.');
    const reply = await readReply(ctx, ownerCall(owner, AbortSignal.any([stop, deadline]), log), delivery);
    if (reply === undefined) throw final('The conversation of the run was deleted.');
    if (reply.withheld) throw final('The owner of the schedule may no longer read all documents of the result.');
    const result = { scheduleName, agentName, content: reply.content, sources: reply.sources };
    return await send({ ctx, delivery, owner, reply, result });
  } catch (error) {
    if (stop.aborted) throw new AppError('cancelled', 'The process stops.', { cause: error });
    log.info({ err: error, target: delivery.target?.target?.$case }, 'could not deliver the result of a schedule');
    return { failure: failureOf(error), result: undefined };
  }
}
