import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatEvent, MessageStatus, Role } from '@lectern/contracts';
import { callAs, createCaller, timeLimit, waitUntil } from '@lectern/testing';
import type { Config } from '#config';
import { scriptedModel } from './scripted-model.ts';
import { startSystem, type TestSystem } from './system.ts';

let system: TestSystem;
const caller = createCaller();
const closing: (() => Promise<void>)[] = [];

/**
 * Starts a chat service whose model waits after its first word, and a turn that has reached that
 * word.
 */
async function interruptibleTurn(config: Partial<Config> = {}) {
  const model = scriptedModel(['One', ' two', ' three.']);
  const { chat, stop } = await system.startAnother({ models: model.models }, config);
  closing.push(stop);
  const leave = new AbortController();
  const events = chat.streamChat({ message: 'Hello' }, callAs(caller, leave.signal))[Symbol.asyncIterator]();
  const next = async (): Promise<ChatEvent['event']> => (await events.next()).value?.event;
  const start = await next();
  if (start?.$case !== 'messageStart') throw new Error('The turn did not start.');
  const { conversationId } = start.value;
  expect(await next()).toEqual({ $case: 'contentDelta', value: { delta: 'One' } });
  await model.waiting();
  const messages = async () => (await chat.getConversation({ id: conversationId }, callAs(caller))).messages;
  const disconnect = async () => {
    leave.abort();
    await expect(events.return?.()).rejects.toMatchObject({ code: 'cancelled' });
  };
  return { model, chat, leave, disconnect, next, conversationId, messages };
}

beforeAll(async () => {
  system = await startSystem();
});

afterAll(async () => {
  for (const close of closing) await close();
  await system.stop();
});

describe('a turn whose client disconnects', () => {
  it('ends within a second, stores nothing and releases its conversation', async () => {
    const { model, chat, leave, next, conversationId, messages } = await interruptibleTurn();
    const disconnectedAt = Date.now();
    leave.abort();
    await expect(next()).rejects.toMatchObject({ code: 'cancelled' });
    await model.aborted();
    expect(Date.now() - disconnectedAt).toBeLessThan(timeLimit(1_000));
    model.finish();
    const isReleased = async () => {
      const reply = chat.chat({ message: 'Hello', conversationId }, callAs(caller));
      return reply.then(
        () => true,
        () => false,
      );
    };
    await waitUntil(isReleased, { what: 'the lease to be released', timeoutMs: 5_000 });
    expect(await messages()).toHaveLength(2);
  });

  it('is stored if the model had finished', async () => {
    const { model, disconnect, next, messages } = await interruptibleTurn();
    model.finish();
    expect(await next()).toMatchObject({ $case: 'contentDelta' });
    expect(await next()).toEqual({ $case: 'contentDelta', value: { delta: ' three.' } });
    await disconnect();
    await waitUntil(async () => (await messages()).length === 2, { what: 'the reply to be stored', timeoutMs: 5_000 });
    expect((await messages())[1]?.content).toBe('One two three.');
  });
});

describe('a conversation that is being answered', () => {
  it('rejects other messages until the reply is finished', async () => {
    const { model, chat, next, conversationId, messages } = await interruptibleTurn();
    const second = { message: 'Hello again', conversationId };
    await expect(chat.chat(second, callAs(caller))).rejects.toMatchObject({ code: 'conflict' });
    model.finish();
    while ((await next()) !== undefined);
    await expect(chat.chat(second, callAs(caller))).resolves.toMatchObject({ conversationId });
    expect((await messages()).map(({ content }) => content)).toEqual([
      'Hello',
      'One two three.',
      'Hello again',
      'One two three.',
    ]);
  });

  it('can be deleted: its client gets the reply, which is not stored', async () => {
    const { model, chat, next, conversationId } = await interruptibleTurn();
    await chat.deleteConversation({ id: conversationId }, callAs(caller));
    model.finish();
    const kinds: unknown[] = [];
    for (let event = await next(); event !== undefined; event = await next()) kinds.push(event.$case);
    expect(kinds.at(-1)).toBe('messageEnd');
    await expect(chat.getConversation({ id: conversationId }, callAs(caller))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a turn whose model fails', () => {
  it('ends with the error, stores nothing and leaves the conversation unchanged', async () => {
    const { model, chat, next, conversationId, messages } = await interruptibleTurn();
    model.fail();
    await expect(next()).rejects.toMatchObject({ code: 'upstream_error', message: 'The model failed.' });
    expect(await messages()).toEqual([]);
    const { conversations } = await chat.listConversations({}, callAs(caller));
    expect(conversations.map(({ id }) => id)).not.toContain(conversationId);
  });
});

describe('a turn that times out', () => {
  // Long enough to reach the first word on a slow machine.
  const shortTimeout = { CHAT_TIMEOUT_MS: 6_000 };

  it('fails with timeout and stores the reply so far, marked as timed out', async () => {
    const { chat, next, conversationId, messages } = await interruptibleTurn(shortTimeout);
    await expect(next()).rejects.toMatchObject({ code: 'timeout' });
    const [question, reply] = await messages();
    expect(question).toMatchObject({ role: Role.USER, content: 'Hello', status: MessageStatus.TIMED_OUT });
    expect(reply).toMatchObject({ role: Role.ASSISTANT, content: 'One', status: MessageStatus.TIMED_OUT, sources: [] });
    expect(reply?.answerConfidence).toBeUndefined();
    const { conversations } = await chat.listConversations({}, callAs(caller));
    expect(conversations.map(({ id }) => id)).toContain(conversationId);
    const resumed = chat.resumeChat({ lastEventId: `${reply?.id}.0.0` }, callAs(caller));
    const rest = resumed[Symbol.asyncIterator]();
    expect((await rest.next()).value?.event).toEqual({ $case: 'contentDelta', value: { delta: 'One' } });
    await expect(rest.next()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('can be regenerated, and never adds its partial reply to a prompt', async () => {
    const { model, chat, next, conversationId, messages } = await interruptibleTurn(shortTimeout);
    await expect(next()).rejects.toMatchObject({ code: 'timeout' });
    model.finish();
    await chat.chat({ message: 'Are you there?', conversationId }, callAs(caller));
    expect(model.requests.at(-1)?.messages).toHaveLength(1);
    await chat.regenerate({ conversationId }, callAs(caller));
    expect((await messages()).map(({ status }) => status)).toEqual([
      MessageStatus.TIMED_OUT,
      MessageStatus.TIMED_OUT,
      MessageStatus.COMPLETE,
      MessageStatus.COMPLETE,
    ]);
    const retried = await interruptibleTurn(shortTimeout);
    await expect(retried.next()).rejects.toMatchObject({ code: 'timeout' });
    retried.model.finish();
    const regenerated = await retried.chat.regenerate({ conversationId: retried.conversationId }, callAs(caller));
    expect(regenerated.content).toBe('One two three.');
    const statuses = (await retried.messages()).map(({ status }) => status);
    expect(statuses).toEqual([MessageStatus.COMPLETE, MessageStatus.COMPLETE]);
  });
});
