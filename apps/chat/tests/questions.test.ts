import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FeedbackReason, QuestionKind, Rating } from '@lectern/contracts';
import type { Caller } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { startSystem, type TestSystem } from './system.ts';

const LEAVE = 'Every employee gets 30 vacation days a year. Unused vacation days expire at the end of March.';
const OUTSIDE = 'Which telescope discovered the moons of Neptune?';

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const ask = (caller: Caller, message: string, collectionIds: string[] = []) =>
  system.chat.chat({ message, collectionIds, model: 'builtin-extractive' }, callAs(caller));
const list = async (caller: Caller, filter: Parameters<TestSystem['questions']['listQuestions']>[0] = {}) =>
  (await system.questions.listQuestions(filter, callAs(caller))).questions;
const asUser = (caller: Caller, name: string): Caller => ({ ...caller, userEmail: `${name}@example.com` });
const admin = (caller: Caller): Caller => ({ ...asUser(caller, 'admin'), mayManage: true });

describe('questions to review', () => {
  it('are those without an answer, with low confidence, and those that were rated down', async () => {
    const team = createCaller();
    await system.addCollection(team, 'Handbook', { Vacation: LEAVE });
    const ada = asUser({ ...team, userEmail: undefined }, 'ada');
    const unanswered = await ask(team, OUTSIDE);
    const good = await ask(team, 'How many vacation days does every employee get a year?');
    expect(good.answerConfidence?.label).not.toBe('low');
    expect(await list(team)).toMatchObject([
      { id: unanswered.id, question: OUTSIDE, kinds: [QuestionKind.UNANSWERED], confidence: { label: 'low' } },
    ]);
    const { conversationId, id: messageId } = good;
    const feedback = { rating: Rating.DOWN, reason: FeedbackReason.OUTDATED, comment: 'It is 31 now.' };
    await system.chat.setFeedback({ conversationId, messageId, ...feedback }, callAs(team));
    expect(await list(team, { kind: QuestionKind.DOWN_VOTED })).toMatchObject([
      { id: messageId, kinds: [QuestionKind.DOWN_VOTED], feedback: [feedback], withheld: false },
    ]);
    await expect(system.questions.listQuestions({}, callAs(ada))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('withhold the reply, its sources and comments from who may not read the documents', async () => {
    const team = createCaller();
    const { id: collectionId } = await system.collections.createCollection({ name: 'HR' }, callAs(team));
    const document = { collectionId, title: 'Vacation', content: LEAVE, principals: ['user:ada@example.com'] };
    await system.documents.createDocument(document, callAs(team));
    await waitUntil(
      async () => (await system.documents.getIndexingState({ collectionIds: [] }, callAs(team))).searchable,
      { what: 'the document to be indexed', timeoutMs: 20_000 },
    );
    const ada = asUser(team, 'ada');
    const { id: messageId, conversationId, content } = await ask(ada, 'How many vacation days do I get?');
    expect(content).toContain('30');
    const rated = { conversationId, messageId, rating: Rating.DOWN, comment: 'No, 30 is wrong.' };
    await system.chat.setFeedback(rated, callAs(ada));
    const [question] = await list(admin(team));
    expect(question).toMatchObject({ question: 'How many vacation days do I get?', withheld: true, sources: [] });
    expect(JSON.stringify(question)).not.toMatch(/30 vacation|is wrong/);
    expect(JSON.stringify(question)).not.toContain('ada@');
    expect(await list({ ...ada, mayManage: true })).toMatchObject([{ withheld: false, content }]);
  });

  it('withhold what an agent wrote from people, and accept a message without a stored request', async () => {
    const team = createCaller();
    const { id, conversationId } = await ask(team, OUTSIDE);
    await system.query(`UPDATE messages SET steps = '[]' WHERE id = '${id}'`);
    await system.query(`UPDATE messages SET request = NULL WHERE conversation_id = '${conversationId}'`);
    expect(await list(admin(team))).toMatchObject([{ id, withheld: true, collectionIds: [] }]);
    expect(await list(team)).toMatchObject([{ id, withheld: false }]);
  });

  it('can be marked as done and opened again', async () => {
    const team = createCaller();
    const { id } = await ask(team, OUTSIDE);
    const done = await system.questions.setQuestionDone({ id, done: true }, callAs(team));
    expect(done.doneAt).toBeInstanceOf(Date);
    expect(await list(team, { done: false })).toEqual([]);
    expect(await list(team, { done: true })).toHaveLength(1);
    expect((await system.questions.setQuestionDone({ id, done: false }, callAs(team))).doneAt).toBeUndefined();
    expect(await list(team, { done: false })).toHaveLength(1);
  });

  it('can be filtered by collection and time', async () => {
    const team = createCaller();
    const { id } = await system.collections.createCollection({ name: 'Empty' }, callAs(team));
    await ask(team, OUTSIDE);
    await ask(team, 'How many days?', [id]);
    expect(await list(team, { collectionId: id })).toMatchObject([{ question: 'How many days?', collectionIds: [id] }]);
    expect(await list(team, { to: new Date(Date.now() - 3_600_000) })).toEqual([]);
    await expect(list(team, { from: new Date(0) })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('become a test case once', async () => {
    const team = createCaller();
    const { id: messageId } = await ask(team, OUTSIDE);
    const testCase = {
      question: OUTSIDE,
      collectionIds: [],
      expectsRefusal: true,
      documentIds: [],
      texts: [],
    };
    const { id } = await system.testCases.createTestCase({ testCase, messageId }, callAs(team));
    expect(await list(team)).toMatchObject([{ testCaseId: id }]);
    const again = system.testCases.createTestCase({ testCase, messageId }, callAs(team));
    await expect(again).rejects.toMatchObject({ code: 'conflict', details: { id } });
    const foreign = system.testCases.createTestCase({ testCase, messageId }, callAs(createCaller()));
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });

  it('belong to their team', async () => {
    const team = createCaller();
    const { id } = await ask(team, OUTSIDE);
    const other = createCaller();
    expect(await list(other)).toEqual([]);
    const change = system.questions.setQuestionDone({ id, done: true }, callAs(other));
    await expect(change).rejects.toMatchObject({ code: 'not_found' });
  });
});
