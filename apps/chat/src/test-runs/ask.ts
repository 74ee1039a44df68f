import { type Caller, newId, systemCaller } from '@lectern/service-kit';
import type { Context } from '#context';
import type { TestCase } from '#gen/prisma/client';
import { resolveSearchScope } from '#sources/search-scope';
import { answer } from '#turn/answer';
import { contextBudget } from '#turn/fit-context';
import { lookUp } from '#turn/look-up';
import { systemPrompt } from '#turn/system-prompt';
import type { TurnReply } from '#turn/turn-event';

/** A reply that is not stored in a conversation. */
export interface TestReply extends TurnReply {
  /** The documents that were found for the question, best first. */
  readonly retrieved: readonly string[];
}

/** Returns the caller of a test case: its user, or the whole team. */
const callerOf = ({ teamId, userEmail }: Pick<TestCase, 'teamId' | 'userEmail'>): Caller => ({
  ...systemCaller(teamId),
  ...(userEmail === null ? {} : { userEmail }),
});

/**
 * Answers a question like the first message of a conversation, but stores nothing. Counts in `written` what
 * the model writes, also if it fails later.
 */
export async function ask(
  { db, log, modelsOf, services: all }: Context,
  { question: message, collections, ...access }: Pick<TestCase, 'question' | 'collections' | 'teamId' | 'userEmail'>,
  written: { characters: number },
  signal: AbortSignal,
): Promise<TestReply> {
  const services = all.for({ caller: callerOf(access), requestId: newId('request'), signal });
  const model = await modelsOf(access.teamId).get(undefined);
  const maxTokens = model.info.defaultMaxOutput;
  const system = systemPrompt(undefined);
  contextBudget({ model, maxTokens, system, message });
  const scope = await resolveSearchScope(services, collections, undefined);
  const deps = { db, log, services, signal, shown: new Set<string>() };
  const ahead = lookUp(deps, [], message, scope);
  const question = {
    conversationId: '',
    before: 0,
    message,
    request: { collections },
    model,
    maxTokens,
    system,
    scope,
  };
  const events = answer(deps, { ...question, ahead });
  let next = await events.next();
  while (next.done !== true) {
    if (next.value.type === 'content_delta') written.characters += next.value.delta.length;
    next = await events.next();
  }
  const retrieved = (await ahead.sources).map(({ id }) => id);
  return { ...next.value, retrieved };
}
