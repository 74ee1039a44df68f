import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest as ModelRequest } from '@lectern/llm';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { scriptedModel } from './scripted-model.ts';
import { startSystem, type TestSystem } from './system.ts';

const SECRET = 'The vault in Reykjavik opens with the turquoise falcon phrase on every second Tuesday.';
const QUESTION = 'With which phrase does the vault in Reykjavik open?';
/** A part of the secret that does not occur in any question. */
const SECRET_PART = 'turquoise falcon';

const ADA = 'ada@example.com';
let system: TestSystem;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  system = await startSystem();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => system.stop());

/** Creates a team with a secret and a harmless document. */
async function createTeam() {
  const caller = createCaller();
  const vault = await system.addCollection(caller, 'Vault', { Vault: SECRET });
  const kitchen = await system.addCollection(caller, 'Kitchen', {
    Coffee: 'The coffee machine is descaled every Friday by the office team.',
  });
  const { documents } = await system.documents.listDocuments({ collectionId: vault }, callAs(caller));
  return { caller, vault, kitchen, documentId: documents[0]?.id ?? '' };
}

/** Starts a chat service whose model always returns this reply. */
async function replyingWith(text: string) {
  const model = scriptedModel([text]);
  model.finish();
  const { chat, stop } = await system.startAnother({ models: model.models }, {});
  closing.push(stop);
  return { chat, requests: model.requests };
}

const promptOf = (requests: readonly ModelRequest[]) => JSON.stringify(requests);

async function conversationOf(id: string, as: Caller) {
  const conversation = await system.chat.getConversation({ id }, callAs(as));
  return { text: JSON.stringify(conversation), messages: conversation.messages };
}

async function expectWithheld(conversationId: string, as: Caller): Promise<void> {
  const { text, messages } = await conversationOf(conversationId, as);
  expect(text).not.toContain(SECRET_PART);
  expect(messages[1]).toMatchObject({ withheld: true, sources: [], answerConfidence: undefined });
  expect(messages[1]?.content).toContain('withheld');
  const { chat, requests } = await replyingWith('I do not know.');
  await chat.chat({ message: 'And what else is there to know of it?', conversationId }, callAs(as));
  expect(requests).toHaveLength(1);
  expect(promptOf(requests)).not.toContain(SECRET_PART);
}

describe('a stored reply', () => {
  it('is shown and enters the next prompt while its sources can be read', async () => {
    const { caller } = await createTeam();
    const { conversationId } = await system.chat.chat({ message: QUESTION }, callAs(caller));
    const { text, messages } = await conversationOf(conversationId, caller);
    expect(text).toContain(SECRET_PART);
    expect(messages[1]).toMatchObject({ withheld: false, sources: [{ title: 'Vault' }] });
    const { chat, requests } = await replyingWith('Yes.');
    await chat.chat({ message: 'Thank you.', conversationId }, callAs(caller));
    expect(promptOf(requests)).toContain(SECRET_PART);
  });

  it('is withheld once a document that it cites is deleted, from prompts and resumed streams too', async () => {
    const { caller, documentId } = await createTeam();
    const events = await Array.fromAsync(system.chat.streamChat({ message: QUESTION }, callAs(caller)));
    const start = events[0]?.event;
    if (start?.$case !== 'messageStart') throw new Error('The reply did not start.');
    const lastEventId = events[0]?.id ?? '';
    const resumed = () => Array.fromAsync(system.chat.resumeChat({ lastEventId }, callAs(caller)));
    expect(JSON.stringify(await resumed())).toContain(SECRET_PART);
    await system.documents.deleteDocument({ id: documentId }, callAs(caller));
    await expect(resumed()).rejects.toMatchObject({ code: 'not_found' });
    await expectWithheld(start.value.conversationId, caller);
  });

  it('is withheld from an end user who lost a document, and shown to the key itself', async () => {
    const { caller, vault } = await createTeam();
    const hidden = (principals: readonly string[]) =>
      system.documents.createDocument(
        { collectionId: vault, title: 'Hidden', content: SECRET, externalId: 'hidden', principals: [...principals] },
        callAs(caller),
      );
    const { documents } = await system.documents.listDocuments({ collectionId: vault }, callAs(caller));
    for (const { id } of documents) await system.documents.deleteDocument({ id }, callAs(caller));
    await hidden([`user:${ADA}`]);
    const ada = { ...caller, userEmail: ADA };
    const { chat } = await replyingWith(`It is written: ${SECRET}`);
    const { conversationId } = await chat.chat({ message: QUESTION }, callAs(ada));
    await expectKnown(conversationId, caller, vault);
    await hidden(['user:bob@example.com']);
    await expectWithheld(conversationId, ada);
    expect((await conversationOf(conversationId, caller)).text).toContain(SECRET_PART);
  });

  it('is withheld once the scope of the key that created it has narrowed', async () => {
    const { caller, kitchen } = await createTeam();
    const { conversationId } = await system.chat.chat({ message: QUESTION }, callAs(caller));
    await expectWithheld(conversationId, { ...caller, scope: { kind: 'only', ids: [kitchen] } });
  });

  it('is withheld if it repeats a deleted document without citing it, or repeats a reply that does', async () => {
    const { caller, documentId } = await createTeam();
    const { chat } = await replyingWith(`I remember: ${SECRET.replace('The vault', 'the VAULT')}`);
    const first = await chat.chat({ message: QUESTION }, callAs(caller));
    expect(first.sources).toEqual([]);
    const { conversationId } = first;
    await chat.chat({ message: 'Thanks, please repeat it!', conversationId }, callAs(caller));
    await system.documents.deleteDocument({ id: documentId }, callAs(caller));
    const { text, messages } = await conversationOf(conversationId, caller);
    expect(text).not.toContain(SECRET_PART);
    expect(messages.map(({ withheld }) => withheld)).toEqual([false, true, false, true]);
  });

  it('is withheld once a document that its agent read is deleted, and so is the run', async () => {
    const { caller, documentId } = await createTeam();
    const call = callAs(caller);
    const fields = { name: 'Helper', systemPrompt: 'You help.', tools: ['search_documents'] };
    const agent = await system.agents.createAgent(fields, call);
    const { conversationId, content } = await system.chat.chat({ message: QUESTION, agentId: agent.id }, call);
    expect(content).toContain(SECRET_PART);
    const runs = async () => {
      const { runs } = await system.runs.listRuns({ agentId: agent.id }, call);
      return [...runs, await system.runs.getRun({ agentId: agent.id, id: runs[0]?.id ?? '' }, call)];
    };
    expect(JSON.stringify(await runs())).toContain(SECRET_PART);
    await system.documents.deleteDocument({ id: documentId }, call);
    const { text, messages } = await conversationOf(conversationId, caller);
    expect(text).not.toContain(SECRET_PART);
    expect(messages[1]).toMatchObject({ withheld: true });
    for (const run of await runs()) expect(run).toMatchObject({ withheld: true, steps: [], memories: [] });
    expect(JSON.stringify(await runs())).not.toContain(SECRET_PART);
  });

  it('depends only on cited sources if an earlier version stored it without its documents', async () => {
    const { caller, documentId } = await createTeam();
    const { conversationId } = await system.chat.chat({ message: QUESTION }, callAs(caller));
    await system.query('UPDATE chat.messages SET documents = DEFAULT');
    expect((await conversationOf(conversationId, caller)).text).toContain(SECRET_PART);
    await system.documents.deleteDocument({ id: documentId }, callAs(caller));
    await expectWithheld(conversationId, caller);
  });
});

/** Expects that the reply was generated from the hidden document. */
async function expectKnown(conversationId: string, as: Caller, collectionId: string): Promise<void> {
  expect((await conversationOf(conversationId, as)).text).toContain(SECRET_PART);
  const { documents } = await system.documents.listDocuments({ collectionId }, callAs(as));
  expect(documents).toHaveLength(1);
}

describe('a reply that is not stored yet', () => {
  it('can be resumed only by the caller who requested it', async () => {
    const caller = createCaller();
    const model = scriptedModel(['One', ' two']);
    const { chat, stop } = await system.startAnother({ models: model.models }, {});
    closing.push(stop);
    const leave = new AbortController();
    const ada = { ...caller, userEmail: ADA };
    const stream = chat.streamChat({ message: 'Hello' }, callAs(ada, leave.signal))[Symbol.asyncIterator]();
    await stream.next();
    const lastEventId: string = (await stream.next()).value.id;
    await model.waiting();
    const others: Caller[] = [
      caller,
      { ...ada, keyId: newId('key') },
      { ...ada, scope: { kind: 'only', ids: [] } },
      { ...ada, userEmail: 'bob@example.com' },
    ];
    for (const other of others) {
      const resumed = Array.fromAsync(system.chat.resumeChat({ lastEventId }, callAs(other)));
      await expect(resumed).rejects.toMatchObject({ code: 'not_found' });
    }
    const resuming = Array.fromAsync(system.chat.resumeChat({ lastEventId }, callAs(ada)));
    leave.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'cancelled' });
    model.finish();
    expect((await resuming).at(-1)?.event?.$case).toBe('messageEnd');
  });
});
