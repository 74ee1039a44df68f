import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rating } from '@lectern/contracts';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { startSystem, type TestSystem } from './system.ts';

const team = createCaller();
const ada: Caller = { ...team, userEmail: 'ada@example.com' };
const bob: Caller = { ...team, userEmail: 'bob@example.com' };
let system: TestSystem;
let collectionId: string;

beforeAll(async () => {
  system = await startSystem();
  collectionId = await system.addCollection(team, 'Handbook', {
    Leave: '# How do I request leave?\n\nRequest leave in the staff portal two weeks ahead.',
    Reise: 'Bahnfahrten werden in der zweiten Klasse gebucht, und Flüge brauchen eine Genehmigung der Leitung.',
  });
});
afterAll(() => system.stop());

const suggest = (caller: Caller) => system.chat.getSuggestions({}, callAs(caller));
const ask = (message: string, more: object = {}) => system.chat.chat({ message, ...more }, callAs(ada));
const praise = ({ id: messageId, conversationId }: { readonly id: string; readonly conversationId: string }) =>
  system.chat.setFeedback({ conversationId, messageId, rating: Rating.UP }, callAs(ada));

describe('suggestions', () => {
  it('are questions that the documents answer, in their languages', async () => {
    expect(await suggest(ada)).toEqual({
      questions: expect.arrayContaining(['How do I request leave?', 'Was sind die Kernpunkte von „Reise“?']),
      searchable: true,
      pendingCount: 0,
    });
  });

  it('start with first questions whose reply the reader praised', async () => {
    const question = 'When do I have to request leave?';
    const reply = await ask(question);
    await ask('How are flights booked?');
    expect((await suggest(ada)).questions).not.toContain(question);
    await praise(reply);
    await praise(await ask('And where?', { conversationId: reply.conversationId }));
    expect((await suggest(ada)).questions[0]).toBe(question);
    expect((await suggest(ada)).questions).not.toContain('And where?');
    for (const other of [bob, team, createCaller()]) expect((await suggest(other)).questions).not.toContain(question);
  });

  it('contain nothing that the reader may not read', async () => {
    const secret = {
      title: 'Merger',
      content: '# Who buys us?\n\nAcme buys us.',
      principals: ['user:bob@example.com'],
    };
    const { id } = await system.documents.createDocument({ collectionId, ...secret }, callAs(team));
    const isListed = async () => (await suggest(bob)).questions.includes('Who buys us?');
    await waitUntil(isListed, { what: 'the document to be listed', timeoutMs: 20_000 });
    expect((await suggest(ada)).questions.join()).not.toMatch(/Merger|buys/);
    const restricted: Caller = { ...team, keyId: newId('key'), scope: { kind: 'only', ids: [] } };
    for (const outsider of [restricted, createCaller()]) {
      expect(await suggest(outsider)).toEqual({ questions: [], searchable: false, pendingCount: 0 });
    }
    await system.documents.deleteDocument({ id }, callAs(team));
  });

  it('drop a praised question when the reader can no longer read what its reply is based on', async () => {
    const other = await system.addCollection(team, 'Lab', { Lasers: 'Lasers are calibrated every Monday by Grace.' });
    const question = 'When are lasers calibrated?';
    await praise(await ask(question, { collectionIds: [other] }));
    expect((await suggest(ada)).questions).toContain(question);
    await system.collections.deleteCollection({ id: other }, callAs(team));
    expect((await suggest(ada)).questions).not.toContain(question);
  });
});

describe('the list of conversations', () => {
  it('can be searched by title, in any case and without wildcards', async () => {
    const mine: Caller = { ...team, userEmail: 'carol@example.com' };
    for (const message of ['Is 100% of the rent paid?', 'Is 1000 the limit?', 'a_b or axb?']) {
      await system.chat.chat({ message }, callAs(mine));
    }
    const titles = async (query: string) => {
      const { conversations, page } = await system.chat.listConversations({ query }, callAs(mine));
      expect(page?.total).toBe(conversations.length);
      return conversations.map(({ title }) => title);
    };
    expect(await titles('RENT')).toEqual(['Is 100% of the rent paid?']);
    expect(await titles('100%')).toEqual(['Is 100% of the rent paid?']);
    expect(await titles('a_b')).toEqual(['a_b or axb?']);
    expect(await titles('\\')).toEqual([]);
    expect(await titles('  ')).toHaveLength(3);
    const tooLong = system.chat.listConversations({ query: 'x'.repeat(201) }, callAs(mine));
    await expect(tooLong).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
