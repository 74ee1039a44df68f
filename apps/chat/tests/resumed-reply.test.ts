import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller, timeLimit, waitUntil } from '@lectern/testing';
import { scriptedModel } from './scripted-model.ts';
import { startSystem, type TestSystem } from './system.ts';

type App = Awaited<ReturnType<TestSystem['startAnother']>>;

const caller = createCaller();
const closing: (() => Promise<void>)[] = [];
let system: TestSystem;
/** A replica whose model is not called in these tests. */
let other: App;

beforeAll(async () => {
  system = await startSystem();
  other = await system.startAnother({}, {});
});

afterAll(async () => {
  await other.stop();
  for (const close of closing) await close();
  await system.stop();
});

/** Collects the events of a resumed reply and its error. */
async function resume(lastEventId: string, as = caller, signal?: AbortSignal) {
  const events: ChatEvent[] = [];
  let failure: unknown;
  try {
    for await (const event of other.chat.resumeChat({ lastEventId }, callAs(as, signal))) events.push(event);
  } catch (error) {
    failure = error;
  }
  const kinds = events.map(({ event }) => event?.$case);
  return { events, kinds, text: textOf(events), failure };
}
const textOf = (events: readonly ChatEvent[]) =>
  events.map(({ event }) => (event?.$case === 'contentDelta' ? event.value.delta : '')).join('');

/** Starts a reply whose model waits after its first word, and reads that word. */
async function startedReply() {
  const model = scriptedModel(['One', ' two', ' three.']);
  const { chat, stop } = await system.startAnother({ models: model.models }, {});
  closing.push(stop);
  const leave = new AbortController();
  const stream = chat.streamChat({ message: 'Hello' }, callAs(caller, leave.signal))[Symbol.asyncIterator]();
  const read: ChatEvent[] = [];
  for (let at = 0; at < 2; at += 1) read.push((await stream.next()).value);
  await model.waiting();
  const start = read[0]?.event;
  if (start?.$case !== 'messageStart') throw new Error('The reply did not start.');
  const disconnect = async () => {
    leave.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'cancelled' });
  };
  return { model, chat, disconnect, ids: read.map(({ id }) => id), ...start.value };
}

describe('a reply whose client lost its connection', () => {
  it('continues when another connection resumes it, on any replica', async () => {
    const { model, disconnect, ids, id, conversationId } = await startedReply();
    await disconnect();
    const resuming = resume(ids.at(-1) ?? '');
    // Longer than the reply continues without a reader. The client that resumed it keeps it alive.
    const started = performance.now();
    await waitUntil(async () => performance.now() - started > 1_200, {
      what: 'the grace period to end',
      timeoutMs: 5_000,
    });
    model.finish();
    const { text, kinds, failure } = await resuming;
    expect(failure).toBeUndefined();
    expect(text).toBe(' two three.');
    expect(kinds.slice(-2)).toEqual(['sources', 'messageEnd']);
    const { messages } = await other.chat.getConversation({ id: conversationId }, callAs(caller));
    expect(messages[1]).toMatchObject({ id, content: 'One two three.' });
  });

  it('returns the partial reply and then the error if no client resumed it in time', async () => {
    const { model, disconnect, ids } = await startedReply();
    await disconnect();
    await model.aborted();
    const { text, kinds, failure } = await resume(ids[0] ?? '');
    expect(kinds).toEqual(['contentDelta']);
    expect(text).toBe('One');
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Send the message again') });
  });

  it('ends when the client that resumed it disconnects too', async () => {
    const { model, disconnect, ids } = await startedReply();
    await disconnect();
    const client = new AbortController();
    const stream = other.chat.resumeChat({ lastEventId: ids[0] ?? '' }, callAs(caller, client.signal));
    for await (const { event } of stream) {
      expect(event).toEqual({ $case: 'contentDelta', value: { delta: 'One' } });
      break;
    }
    const disconnectedAt = performance.now();
    client.abort();
    await model.aborted();
    expect(performance.now() - disconnectedAt).toBeLessThan(timeLimit(1_000));
  });

  it('ends with the same error if it failed', async () => {
    const { model, disconnect, ids } = await startedReply();
    await disconnect();
    model.fail();
    const { failure } = await resume(ids.at(-1) ?? '');
    expect(failure).toMatchObject({ code: 'upstream_error', message: 'The model failed.' });
  });
});

describe('a reply that has ended', () => {
  it('is replayed from any of its events, with the same end', async () => {
    const events: ChatEvent[] = [];
    for await (const event of system.chat.streamChat({ message: 'Hello' }, callAs(caller))) events.push(event);
    for (const [at, { id }] of events.entries()) {
      const rest = await resume(id);
      expect(rest.failure).toBeUndefined();
      expect(rest.text).toBe(textOf(events.slice(at + 1)));
      expect(rest.events.slice(-2).map(({ event }) => event)).toEqual(events.slice(-2).map(({ event }) => event));
    }
  });

  it('is visible only to callers who can see its conversation', async () => {
    const { model, disconnect, ids } = await startedReply();
    const lastEventId = ids[0] ?? '';
    for (const otherCaller of [createCaller(), { ...caller, userEmail: 'bob@example.com' }]) {
      expect((await resume(lastEventId, otherCaller)).failure).toMatchObject({ code: 'not_found' });
    }
    await disconnect();
    await model.aborted();
    expect((await resume(lastEventId, createCaller())).failure).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['', 'invalid_request'],
    ['42', 'invalid_request'],
    [`${newId('message')}.0.0`, 'not_found'],
  ])('rejects an id that is not an event of a reply: "%s"', async (lastEventId, code) => {
    expect((await resume(lastEventId)).failure).toMatchObject({ code });
  });
});
