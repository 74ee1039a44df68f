import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatEvent, type ChatRequest, Rating, Role } from '@lectern/contracts';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
let system: TestSystem;
let handbook: string;
let kitchen: string;

const ask = (message: string, rest: Partial<ChatRequest> = {}, as: Caller = caller) =>
  system.chat.chat({ message, ...rest }, callAs(as));
const eventsOf = async (message: string, rest: Partial<ChatRequest> = {}, as: Caller = caller) => {
  const events: NonNullable<ChatEvent['event']>[] = [];
  for await (const { event } of system.chat.streamChat({ message, ...rest }, callAs(as))) if (event) events.push(event);
  return events;
};
const contentOf = async (id: string) => (await system.documents.getDocumentContent({ id }, callAs(caller))).content;

beforeAll(async () => {
  system = await startSystem();
  handbook = await system.addCollection(caller, 'Handbook', HANDBOOK);
  kitchen = await system.addCollection(caller, 'Kitchen', {
    Coffee: 'The coffee machine is descaled every Friday by the office team.',
  });
});

afterAll(() => system.stop());

describe('Chat', () => {
  it('answers from the documents, with verbatim excerpts as sources', async () => {
    const reply = await ask('How many weeks of parental leave does a new parent get?');
    expect(reply.content).toContain('[1]');
    expect(reply.sources[0]).toMatchObject({ title: 'Parental leave', url: 'https://docs.example.com/Parental leave' });
    for (const { id, excerpt } of reply.sources) expect(await contentOf(id)).toContain(excerpt);
    expect(reply.answerConfidence?.label).toBe('high');
    expect(reply.usage?.promptTokens).toBeGreaterThan(0);
    expect(reply.usage?.totalTokens).toBe(reply.usage!.promptTokens + reply.usage!.completionTokens);
    expect(reply.model).toBe('builtin-extractive');
  });

  it('returns one source for each distinct marker, numbered from 1', async () => {
    const { content, sources } = await ask('Compare what happens to lost laptops and how much a hotel may cost');
    const markers = new Set([...content.matchAll(/\[(\d+)\]/g)].map(([, marker]) => Number(marker)));
    expect([...markers].sort()).toEqual(sources.map((_, at) => at + 1));
  });

  it('reports that it found nothing, with low confidence, if the documents contain no answer', async () => {
    const reply = await ask('Who won the football world cup in 1998?');
    expect(reply.content).toContain('could not find');
    expect(reply.sources).toEqual([]);
    expect(reply.answerConfidence?.label).toBe('low');
  });

  it('reports the same to a team without documents', async () => {
    const reply = await ask('How long is parental leave?', {}, createCaller());
    expect(reply.answerConfidence?.label).toBe('low');
    expect(reply.sources).toEqual([]);
  });

  it('answers a greeting without sources', async () => {
    const reply = await ask('Hello!');
    expect(reply.content).not.toBe('');
    expect(reply.sources).toEqual([]);
  });

  it('searches only the requested collections', async () => {
    const reply = await ask('How many weeks of parental leave does a new parent get?', { collectionIds: [kitchen] });
    expect(reply.sources.map(({ title }) => title)).not.toContain('Parental leave');
    const restricted = { ...caller, scope: { kind: 'only', ids: [kitchen] } } as const;
    const { sources } = await ask('How many weeks of parental leave does a new parent get?', {}, restricted);
    expect(sources.map(({ title }) => title)).not.toContain('Parental leave');
  });

  it('interprets a follow-up in the context of the conversation', async () => {
    const { conversationId } = await ask('How many weeks of parental leave does a new parent get?');
    const reply = await ask('How do I request it?', { conversationId });
    expect(reply.conversationId).toBe(conversationId);
    expect(reply.content).toContain('eight weeks before');
  });
});

describe('StreamChat', () => {
  it('emits message_start, content, sources once and message_end, with the same content as Chat', async () => {
    const question = 'What do I do when a laptop is lost?';
    const events = await eventsOf(question);
    const kinds = events.map(({ $case }) => $case);
    expect(kinds[0]).toBe('messageStart');
    expect(kinds.slice(-2)).toEqual(['sources', 'messageEnd']);
    expect(new Set(kinds.slice(1, -2))).toEqual(new Set(['contentDelta']));
    const whole = await ask(question);
    const text = events.map((event) => (event.$case === 'contentDelta' ? event.value.delta : '')).join('');
    expect(text).toBe(whole.content);
    expect(events.at(-2)?.value).toEqual({ sources: whole.sources, marks: [] });
    expect(events.at(-1)?.value).toEqual({
      usage: whole.usage,
      answerConfidence: whole.answerConfidence,
      model: whole.model,
      // Only for CompletionService.
      stopReason: '',
      documents: [],
    });
  });

  it('emits an empty list of sources too', async () => {
    const events = await eventsOf('Who won the football world cup in 1998?');
    expect(events.filter(({ $case }) => $case === 'sources')).toEqual([
      { $case: 'sources', value: { sources: [], marks: [] } },
    ]);
  });
});

describe('a chat with an agent', () => {
  const createAgent = (collectionIds: string[]) =>
    system.agents.createAgent({ name: 'Helper', systemPrompt: 'Be brief.', collectionIds }, callAs(caller));

  it('searches the collections that both agent and request allow', async () => {
    const question = 'How many weeks of parental leave does a new parent get?';
    const restricted = await createAgent([kitchen]);
    const unrestricted = await createAgent([]);
    expect((await ask(question, { agentId: restricted.id })).sources).toEqual([]);
    expect((await ask(question, { agentId: restricted.id, collectionIds: [handbook] })).sources).toEqual([]);
    expect((await ask(question, { agentId: unrestricted.id })).sources[0]?.title).toBe('Parental leave');
  });

  it('emits run events between message_start and message_end, also when resumed', async () => {
    const { id } = await createAgent([]);
    const events: ChatEvent[] = [];
    const agentRequest = { message: 'How many weeks of parental leave does a new parent get?', agentId: id };
    for await (const event of system.chat.streamChat(agentRequest, callAs(caller))) events.push(event);
    const kinds = events.map(({ event }) => (event?.$case === 'run' ? event.value.event?.$case : event?.$case));
    expect(kinds.slice(0, 3)).toEqual(['messageStart', 'started', 'iteration']);
    expect(kinds.slice(-3)).toEqual(['sources', 'completed', 'messageEnd']);
    const whole = await ask(agentRequest.message, { agentId: id });
    const text = events.map(({ event }) => (event?.$case === 'contentDelta' ? event.value.delta : '')).join('');
    expect(text).toBe(whole.content);
    expect(whole.answerConfidence?.label).not.toBe('low');
    const resumed: (string | undefined)[] = [];
    const lastEventId = events[1]?.id ?? '';
    for await (const { event } of system.chat.resumeChat({ lastEventId }, callAs(caller))) {
      resumed.push(event?.$case === 'run' ? event.value.event?.$case : event?.$case);
    }
    expect(resumed).toEqual([...new Set(kinds.slice(2))]);
  });

  it('keeps the agent in later messages of the conversation', async () => {
    const { id } = await createAgent([kitchen]);
    const { conversationId } = await ask('When is the coffee machine descaled?', { agentId: id });
    const { sources } = await ask('How many weeks of parental leave does a new parent get?', { conversationId });
    expect(sources).toEqual([]);
    expect(await system.chat.getConversation({ id: conversationId }, callAs(caller))).toMatchObject({ agentId: id });
  });
});

describe('a caller without the right agents', () => {
  it('cannot chat with an agent, nor continue a conversation with one', async () => {
    const { id } = await system.agents.createAgent(
      { name: 'Helper', systemPrompt: 'Be brief.', collectionIds: [] },
      callAs(caller),
    );
    const { conversationId } = await ask('When is the coffee machine descaled?', { agentId: id });
    const limited = callAs({ ...caller, noAgents: true });
    const refused = { code: 'forbidden', message: expect.stringContaining('"agents"') };
    await expect(system.chat.chat({ message: 'x', agentId: id }, limited)).rejects.toMatchObject(refused);
    await expect(system.chat.chat({ message: 'x', conversationId }, limited)).rejects.toMatchObject(refused);
    await expect(system.chat.regenerate({ conversationId }, limited)).rejects.toMatchObject(refused);
  });
});

describe('an invalid request', () => {
  it.each([
    ['an unknown model', { model: 'gpt-0' }, 'invalid_request', 'builtin-extractive'],
    ['an unknown conversation', { conversationId: newId('conversation') }, 'not_found', 'conversation'],
    ['a malformed conversation id', { conversationId: "x' OR 1=1" }, 'not_found', 'conversation'],
    ['an unknown collection', { collectionIds: [newId('collection')] }, 'not_found', 'collection'],
    ['an unknown agent', { agentId: newId('agent') }, 'not_found', 'agent'],
    ['too many tokens', { maxTokens: 1_000_000 }, 'invalid_request', 'maxTokens'],
    ['no tokens', { maxTokens: 0 }, 'invalid_request', 'maxTokens'],
    ['a message that cannot be stored', { message: 'a\u0000b' }, 'invalid_request', 'message'],
    ['an empty message', { message: ' ' }, 'invalid_request', 'message'],
  ])('is rejected before the first event: %s', async (_what, request, code, message) => {
    const error = { code, message: expect.stringContaining(message) };
    await expect(ask('Hello', request)).rejects.toMatchObject(error);
    await expect(eventsOf('Hello', request)).rejects.toMatchObject(error);
  });

  it('returns forbidden for a collection outside the scope of the key', async () => {
    const restricted = { ...caller, scope: { kind: 'only', ids: [kitchen] } } as const;
    await expect(ask('Hello', { collectionIds: [handbook] }, restricted)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('conversations', () => {
  it('store every message with its sources, confidence and usage', async () => {
    const first = await ask('How much may a hotel cost?');
    await ask('Thanks!', { conversationId: first.conversationId });
    const conversation = await system.chat.getConversation({ id: first.conversationId }, callAs(caller));
    expect(conversation).toMatchObject({ title: 'How much may a hotel cost?', messageCount: 4 });
    const [question, answer] = conversation.messages;
    expect(question).toMatchObject({ role: Role.USER, content: 'How much may a hotel cost?', sources: [] });
    expect(answer).toMatchObject({
      id: first.id,
      role: Role.ASSISTANT,
      content: first.content,
      sources: first.sources,
      answerConfidence: first.answerConfidence,
      usage: first.usage,
    });
  });

  it('are listed in pages, most recently used first', async () => {
    const team = createCaller();
    const ids: string[] = [];
    for (const greeting of ['Hello', 'Hi', 'Good morning']) ids.push((await ask(greeting, {}, team)).conversationId);
    await ask('Hello again', { conversationId: ids[0]! }, team);
    const list = (page: number) => system.chat.listConversations({ page: { page, limit: 2 } }, callAs(team));
    const [first, second] = await Promise.all([list(1), list(2)]);
    expect([...first.conversations, ...second.conversations].map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
    expect(first.page).toEqual({ page: 1, limit: 2, total: 3, hasMore: true });
    expect(second.page).toEqual({ page: 2, limit: 2, total: 3, hasMore: false });
    expect(first.conversations[0]?.messages).toEqual([]);
    const pastEnd = await list(2_147_483_647);
    expect(pastEnd).toMatchObject({ conversations: [], page: { total: 3, hasMore: false } });
  });

  it('are not found after deletion', async () => {
    const { conversationId: id } = await ask('Hello');
    expect(await system.chat.deleteConversation({ id }, callAs(caller))).toEqual({ id });
    await expect(system.chat.deleteConversation({ id }, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.chat.getConversation({ id }, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['another team', { teamId: newId('team') }],
    ['another key of restricted scope', { keyId: newId('key'), scope: { kind: 'only', ids: [] } }],
    ['another end user', { userEmail: 'bob@example.com' }],
  ] as const)('are not visible to %s', async (_who, other) => {
    const ada = { ...caller, userEmail: 'ada@example.com' };
    const { conversationId: id } = await ask('Hello', {}, ada);
    const otherCaller: Caller = { ...ada, ...other };
    await expect(system.chat.getConversation({ id }, callAs(otherCaller))).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask('Hi', { conversationId: id }, otherCaller)).rejects.toMatchObject({ code: 'not_found' });
    const { conversations } = await system.chat.listConversations({}, callAs(otherCaller));
    expect(conversations.map((conversation) => conversation.id)).not.toContain(id);
    expect(await system.chat.getConversation({ id }, callAs(ada))).toMatchObject({ id });
  });

  it('keep a new title, and all other fields', async () => {
    const { conversationId: id } = await ask('Hello');
    const before = await system.chat.getConversation({ id }, callAs(caller));
    const renamed = await system.chat.updateConversation({ id, title: '  Leave in 2027 ' }, callAs(caller));
    expect(renamed).toEqual({ ...before, title: 'Leave in 2027', messages: [] });
    await ask('Thanks!', { conversationId: id });
    expect(await system.chat.getConversation({ id }, callAs(caller))).toMatchObject({ title: 'Leave in 2027' });
    for (const title of [' ', 'a\nb', 'x'.repeat(201)])
      await expect(system.chat.updateConversation({ id, title }, callAs(caller))).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('title'),
      });
  });
});

describe('a shared conversation', () => {
  const person = (userEmail: string, more: Partial<Caller> = {}): Caller => ({
    ...caller,
    keyId: newId('person'),
    userEmail,
    ...more,
  });
  const ada = person('ada@example.com');

  async function share() {
    const { conversationId: id } = await ask('How much may a hotel cost?', {}, ada);
    await system.chat.updateConversation({ id, shared: true }, callAs(ada));
    return id;
  }

  it('can be read and listed by signed-in people of the team until it is no longer shared', async () => {
    const id = await share();
    const bob = callAs(person('bob@example.com'));
    const shown = { id, user: 'ada@example.com', shared: true, readOnly: true };
    expect(await system.chat.getConversation({ id }, bob)).toMatchObject({ ...shown, messageCount: 2 });
    expect(await system.chat.getConversation({ id }, callAs(ada))).toMatchObject({ ...shown, readOnly: false });
    expect((await system.chat.listConversations({ shared: true }, bob)).conversations).toMatchObject([shown]);
    expect((await system.chat.listConversations({}, bob)).conversations).toEqual([]);
    await system.chat.updateConversation({ id, shared: false }, callAs(ada));
    await expect(system.chat.getConversation({ id }, bob)).rejects.toMatchObject({ code: 'not_found' });
    expect((await system.chat.listConversations({ shared: true }, bob)).conversations).toEqual([]);
  });

  it('cannot be changed, continued, rated or deleted by its readers', async () => {
    const id = await share();
    const bob = person('bob@example.com');
    const { messages } = await system.chat.getConversation({ id }, callAs(bob));
    const reply = { conversationId: id, messageId: messages.at(-1)!.id };
    for (const attempt of [
      system.chat.updateConversation({ id, title: 'Mine' }, callAs(bob)),
      system.chat.updateConversation({ id, shared: false }, callAs(bob)),
      ask('Hi', { conversationId: id }, bob),
      system.chat.regenerate({ conversationId: id }, callAs(bob)),
      system.chat.setFeedback({ ...reply, rating: Rating.UP }, callAs(bob)),
      system.chat.deleteConversation({ id }, callAs(bob)),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    expect(await system.chat.getConversation({ id }, callAs(ada))).toMatchObject({ shared: true, messageCount: 2 });
  });

  it.each([
    ['a person of another team', person('bob@example.com', { teamId: newId('team') })],
    ['an end user of a key', { ...caller, userEmail: 'bob@example.com' }],
    ['a person with conditions', person('bob@example.com', { filters: { title: { eq: 'Parental leave' } } })],
    ['a key of restricted scope', { ...caller, keyId: newId('key'), scope: { kind: 'only', ids: [] } }],
  ] as const)('is not visible to %s, who cannot share one either', async (_who, other: Caller) => {
    const id = await share();
    await expect(system.chat.getConversation({ id }, callAs(other))).rejects.toMatchObject({ code: 'not_found' });
    const { conversations, page } = await system.chat.listConversations({ shared: true }, callAs(other));
    expect(conversations).toEqual([]);
    expect(page?.total).toBe(0);
    if (other.teamId !== caller.teamId) return;
    const { conversationId: own } = await ask('Hello', {}, other);
    await expect(system.chat.updateConversation({ id: own, shared: true }, callAs(other))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await system.chat.updateConversation({ id: own, shared: false, title: 'Mine' }, callAs(other));
  });

  it('is no longer shared after an editor has stopped it, who can change nothing else', async () => {
    const id = await share();
    const editor = callAs(person('eve@example.com', { mayManage: true }));
    await expect(system.chat.updateConversation({ id, title: 'x', shared: false }, editor)).rejects.toMatchObject({
      code: 'not_found',
    });
    const stopped = await system.chat.updateConversation({ id, shared: false }, editor);
    expect(stopped).toMatchObject({ id, shared: false, readOnly: true });
    await expect(system.chat.getConversation({ id }, editor)).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.chat.updateConversation({ id, shared: false }, editor)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('withholds replies from readers who cannot read all their documents', async () => {
    const secret = await system.addCollection(
      caller,
      'Board',
      { Merger: 'The merger with Initech closes on the fourth of May.' },
      ['user:ada@example.com'],
    );
    const reply = await ask('When does the merger with Initech close?', { collectionIds: [secret] }, ada);
    const id = reply.conversationId;
    await system.chat.updateConversation({ id, shared: true }, callAs(ada));
    const { messages } = await system.chat.getConversation({ id }, callAs(person('bob@example.com')));
    expect(messages[1]).toMatchObject({ withheld: true, sources: [] });
    expect(messages[1]?.content).not.toContain('May');
    const own = await system.chat.getConversation({ id }, callAs(ada));
    expect(own.messages[1]).toMatchObject({ withheld: false, content: reply.content });
  });
});
