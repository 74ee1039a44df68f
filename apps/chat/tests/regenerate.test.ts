import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
const QUESTION = 'How many weeks of parental leave does a new parent get?';
let system: TestSystem;
let handbook: string;
let kitchen: string;

beforeAll(async () => {
  system = await startSystem();
  handbook = await system.addCollection(caller, 'Handbook', HANDBOOK);
  kitchen = await system.addCollection(caller, 'Kitchen', { Coffee: 'The coffee machine is descaled every Friday.' });
});

afterAll(() => system.stop());

const conversation = (id: string) => system.chat.getConversation({ id }, callAs(caller));

describe('a regenerated reply', () => {
  it('replaces the previous reply and has the same history', async () => {
    const { conversationId } = await system.chat.chat({ message: QUESTION }, callAs(caller));
    const first = await system.chat.chat({ message: 'How do I request it?', conversationId }, callAs(caller));
    const second = await system.chat.regenerate({ conversationId }, callAs(caller));
    expect(second).toMatchObject({ conversationId, content: first.content, sources: first.sources });
    expect(second.id).not.toBe(first.id);
    const { messages, messageCount } = await conversation(conversationId);
    expect(messageCount).toBe(4);
    expect(messages.map(({ content }) => content).slice(2)).toEqual(['How do I request it?', second.content]);
    expect(messages[3]).toMatchObject({ id: second.id, answerConfidence: second.answerConfidence });
  });

  it('searches the collections of the message, or those of the new request', async () => {
    const firstReply = await system.chat.chat({ message: QUESTION, collectionIds: [kitchen] }, callAs(caller));
    expect(firstReply.sources).toEqual([]);
    const { conversationId } = firstReply;
    expect((await system.chat.regenerate({ conversationId }, callAs(caller))).sources).toEqual([]);
    const regenerated = await system.chat.regenerate({ conversationId, collectionIds: [handbook] }, callAs(caller));
    expect(regenerated.sources[0]?.title).toBe('Parental leave');
  });

  it('uses the agent of the message, within its collections', async () => {
    const agent = await system.agents.createAgent(
      { name: 'Kitchen help', systemPrompt: 'Be brief.', collectionIds: [kitchen] },
      callAs(caller),
    );
    const { conversationId } = await system.chat.chat(
      { message: 'When is the coffee machine descaled?' },
      callAs(caller),
    );
    const request = { message: QUESTION, conversationId, agentId: agent.id };
    expect((await system.chat.chat(request, callAs(caller))).sources).toEqual([]);
    const kinds: (string | undefined)[] = [];
    for await (const { event } of system.chat.streamRegenerate({ conversationId }, callAs(caller))) {
      kinds.push(event?.$case === 'sources' ? `${event.value.sources.length} sources` : event?.$case);
    }
    expect(kinds).toEqual(expect.arrayContaining(['run', '0 sources', 'messageEnd']));
  });

  it('can be streamed with the same content', async () => {
    const { conversationId, content } = await system.chat.chat({ message: QUESTION }, callAs(caller));
    const events: ChatEvent['event'][] = [];
    for await (const { event } of system.chat.streamRegenerate({ conversationId }, callAs(caller))) events.push(event);
    expect(events.at(0)?.$case).toBe('messageStart');
    expect(events.at(-1)?.$case).toBe('messageEnd');
    expect(events.map((event) => (event?.$case === 'contentDelta' ? event.value.delta : '')).join('')).toBe(content);
    expect((await conversation(conversationId)).messageCount).toBe(2);
  });

  it('is rejected without a previous reply, and for other callers', async () => {
    const { conversationId } = await system.chat.chat({ message: 'Hello' }, callAs(caller));
    const unknown = { conversationId: newId('conversation') };
    await expect(system.chat.regenerate(unknown, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
    const otherCaller = callAs(createCaller());
    await expect(system.chat.regenerate({ conversationId }, otherCaller)).rejects.toMatchObject({ code: 'not_found' });
    const model = { conversationId, model: 'gpt-0' };
    await expect(system.chat.regenerate(model, callAs(caller))).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await conversation(conversationId)).messageCount).toBe(2);
  });
});
