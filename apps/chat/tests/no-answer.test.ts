import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { phrasesIn } from '@lectern/grounding';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller, startOpenAiServer } from '@lectern/testing';
import { startSystem, type TestSystem } from './system.ts';

const ENGLISH = phrasesIn('en');
const QUESTION = 'How many vacation days do I get?';
const OUTSIDE = 'Which telescope discovered the moons of Neptune?';
const VACATION = 'Every employee gets 30 vacation days a year. Unused vacation days expire at the end of March.';

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const ask = (caller: Caller, message: string, rest: { readonly collectionIds?: string[] } = {}) =>
  system.chat.chat({ message, model: 'builtin-extractive', ...rest }, callAs(caller));

/** Creates a collection whose documents wait to be indexed. */
async function addPending(caller: Caller, count: number): Promise<string> {
  const { id: collectionId } = await system.collections.createCollection({ name: 'New' }, callAs(caller));
  const items = Array.from({ length: count }, (_, at) => ({ externalId: `${at}`, title: `New ${at}` }));
  const request = { connectorId: newId('connector'), collectionId, source: 's3', items };
  await system.documents.registerDocuments(request, callAs(caller));
  return collectionId;
}

describe('a reply without an answer', () => {
  it('states that there are no documents, and asks to add some', async () => {
    const { content, sources, answerConfidence } = await ask(createCaller(), QUESTION);
    expect(content).toBe(ENGLISH.noDocuments);
    expect(sources).toEqual([]);
    expect(answerConfidence?.label).toBe('low');
  });

  it('states it in the language of the question', async () => {
    const { content } = await ask(createCaller(), 'Combien de jours de congé ai-je par an ?');
    expect(content).toBe(phrasesIn('fr').noDocuments);
  });

  it('states how many documents are being indexed', async () => {
    const caller = createCaller();
    await addPending(caller, 3);
    const { content, answerConfidence } = await ask(caller, QUESTION);
    expect(content).toBe(
      'I cannot answer yet. 3 documents are still being indexed. Please ask again in a few minutes.',
    );
    expect(answerConfidence?.label).toBe('low');
  });

  it('does not count documents that the end user may not read', async () => {
    const caller = createCaller();
    await addPending(caller, 3);
    const { content } = await ask({ ...caller, userEmail: 'ada@example.com' }, QUESTION);
    expect(content).toBe(ENGLISH.noDocuments);
  });

  it('does not count documents outside the collections of the request or the key', async () => {
    const caller = createCaller();
    await addPending(caller, 3);
    const { id } = await system.collections.createCollection({ name: 'Empty' }, callAs(caller));
    expect((await ask(caller, QUESTION, { collectionIds: [id] })).content).toBe(ENGLISH.noDocuments);
    const restricted: Caller = { ...caller, scope: { kind: 'only', ids: [id] } };
    expect((await ask(restricted, QUESTION)).content).toBe(ENGLISH.noDocuments);
  });

  it('names the closest documents for a question outside of them, and those that are being indexed', async () => {
    const caller = createCaller();
    await system.addCollection(caller, 'Handbook', { Vacation: VACATION });
    const outside = await ask(caller, OUTSIDE);
    expect(
      [ENGLISH.rephrase([]), ENGLISH.rephrase(['Vacation'])].map((hint) => ENGLISH.join(ENGLISH.notFound, hint)),
    ).toContain(outside.content);
    await addPending(caller, 1);
    expect((await ask(caller, OUTSIDE)).content).toBe(
      ENGLISH.join(ENGLISH.notFound, ENGLISH.indexing(1), ENGLISH.askAgainLater),
    );
    expect((await ask(caller, QUESTION)).content).toContain('30 vacation days');
  });

  it('is in the language of the documents if the question can be in several', async () => {
    const caller = createCaller();
    await system.addCollection(caller, 'Handbuch', {
      Urlaub: 'Alle Angestellten erhalten 30 Tage Urlaub im Jahr. Der Urlaub verfällt Ende März des nächsten Jahres.',
    });
    const { content } = await ask(caller, 'Teleskop Neptun');
    expect(content.startsWith(phrasesIn('de').notFound)).toBe(true);
  });

  it('is given to a provider model as the text to reply with', async () => {
    const server = await startOpenAiServer({ models: { llama: {} } });
    const { chat, stop } = await system.startAnother({}, { OPENAI_BASE_URL: `${server.origin}/v1` });
    const caller = createCaller();
    await addPending(caller, 2);
    await chat.chat({ message: QUESTION, model: 'llama' }, callAs(caller));
    const prompts = server.calls.filter(({ method }) => method === 'POST').map(({ body }) => JSON.stringify(body));
    expect(prompts[0]).toContain('2 documents are still being indexed.');
    await stop();
    await server.stop();
  });
});
