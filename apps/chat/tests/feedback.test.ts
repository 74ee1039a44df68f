import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FeedbackReason, Rating } from '@lectern/contracts';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const QUESTION = 'How many weeks of parental leave does a new parent get?';
const team = createCaller();
const ada: Caller = { ...team, userEmail: 'ada@example.com' };
const bob: Caller = { ...team, userEmail: 'bob@example.com' };

let system: TestSystem;
let place: { conversationId: string; messageId: string };

beforeAll(async () => {
  system = await startSystem();
  await system.addCollection(team, 'Handbook', HANDBOOK);
});
afterAll(() => system.stop());
beforeEach(async () => {
  const { id, conversationId } = await system.chat.chat({ message: QUESTION }, callAs(ada));
  place = { conversationId, messageId: id };
});

const rate = (caller: Caller, more: object = {}) =>
  system.chat.setFeedback({ ...place, rating: Rating.UP, ...more }, callAs(caller));
const remove = (caller: Caller) => system.chat.deleteFeedback(place, callAs(caller));
const feedbackSeenBy = async (caller: Caller) => {
  const { messages } = await system.chat.getConversation({ id: place.conversationId }, callAs(caller));
  return messages.at(-1)?.feedback;
};
const countRows = () => system.query(`UPDATE feedback SET team_id = team_id WHERE message_id = '${place.messageId}'`);

describe('feedback', () => {
  it('is stored once for each person, and shown with the reply', async () => {
    expect(await feedbackSeenBy(ada)).toBeUndefined();
    const first = await rate(ada);
    expect(first).toMatchObject({ rating: Rating.UP, reason: undefined, comment: undefined });
    const reason = FeedbackReason.INCOMPLETE;
    const second = await rate(ada, { rating: Rating.DOWN, reason, comment: ' Twins? ' });
    expect(second).toMatchObject({ rating: Rating.DOWN, reason, comment: 'Twins?', createdAt: first.createdAt });
    expect(await feedbackSeenBy(ada)).toEqual(second);
    expect(await countRows()).toBe(1);
  });

  it('loses the reason and the comment that are not given again', async () => {
    await rate(ada, { rating: Rating.DOWN, reason: FeedbackReason.WRONG, comment: 'No.' });
    await rate(ada);
    expect(await feedbackSeenBy(ada)).toMatchObject({ rating: Rating.UP, reason: undefined, comment: undefined });
  });

  it('is an event without the comment and the author, if a webhook needs it', async () => {
    const interest = `INSERT INTO event_interests VALUES ('${team.teamId}', 1, '{feedback.created}')`;
    await rate(ada);
    await system.query(interest);
    await rate(ada, { rating: Rating.DOWN, reason: FeedbackReason.WRONG, comment: 'No.' });
    const data = { ...place, rating: 'down', reason: 'wrong' };
    const events = `UPDATE event_outbox SET type = type
      WHERE team_id = '${team.teamId}' AND resource = '${place.messageId}' AND collection_ids = '{}'`;
    expect(await system.query(events)).toBe(1);
    expect(await system.query(`${events} AND data = '${JSON.stringify(data)}'::jsonb`)).toBe(1);
  });

  it('is each reader’s own', async () => {
    await rate(ada);
    await rate(team, { rating: Rating.DOWN });
    expect(await feedbackSeenBy(ada)).toMatchObject({ rating: Rating.UP });
    expect(await feedbackSeenBy(team)).toMatchObject({ rating: Rating.DOWN });
    await remove(team);
    expect(await feedbackSeenBy(ada)).toMatchObject({ rating: Rating.UP });
    expect(await feedbackSeenBy(team)).toBeUndefined();
  });

  it('can be removed once', async () => {
    await rate(ada);
    expect(await remove(ada)).toEqual({ messageId: place.messageId });
    expect(await feedbackSeenBy(ada)).toBeUndefined();
    await expect(remove(ada)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is only possible in conversations that the caller can see', async () => {
    const restricted: Caller = { ...team, keyId: newId('key'), scope: { kind: 'only', ids: [] } };
    for (const outsider of [bob, createCaller(), restricted]) {
      await expect(rate(outsider)).rejects.toMatchObject({ code: 'not_found' });
      await expect(remove(outsider)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await countRows()).toBe(0);
  });

  it('is only possible on a reply of that conversation', async () => {
    const { messages } = await system.chat.getConversation({ id: place.conversationId }, callAs(ada));
    const other = await system.chat.chat({ message: QUESTION }, callAs(ada));
    for (const messageId of [messages[0]!.id, other.id, newId('message'), 'msg_1', '']) {
      await expect(rate(ada, { messageId })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each([
    ['no rating', { rating: Rating.UNSPECIFIED }, 'rating'],
    ['a reason for praise', { reason: FeedbackReason.WRONG }, 'reason'],
    ['an unknown reason', { rating: Rating.DOWN, reason: 99 }, 'reason'],
    ['a comment that is too long', { comment: 'x'.repeat(2_001) }, 'comment'],
  ])('is rejected with %s', async (_name, more, path) => {
    await expect(rate(ada, more)).rejects.toMatchObject({ code: 'invalid_request', details: { issues: [{ path }] } });
  });

  it('is deleted with the reply, and with the conversation', async () => {
    await rate(ada);
    await system.chat.regenerate({ conversationId: place.conversationId }, callAs(ada));
    expect(await countRows()).toBe(0);
    const { messages } = await system.chat.getConversation({ id: place.conversationId }, callAs(ada));
    place = { ...place, messageId: messages.at(-1)!.id };
    await rate(ada);
    await system.chat.deleteConversation({ id: place.conversationId }, callAs(ada));
    expect(await countRows()).toBe(0);
  });

  it('ends with one row if a person gives it many times at once', async () => {
    const ratings = [Rating.UP, Rating.DOWN, Rating.UP, Rating.DOWN, Rating.UP, Rating.DOWN];
    await Promise.all(ratings.map((rating) => rate(ada, { rating })));
    expect(await countRows()).toBe(1);
  });

  it('is not possible on a reply that is withheld, but can still be removed', async () => {
    const title = 'Sabbatical';
    const collectionId = await system.addCollection(team, title, {
      [title]: 'A sabbatical lasts at most ninety days.',
    });
    const message = 'How long does a sabbatical last at most?';
    const { id, conversationId } = await system.chat.chat({ message, collectionIds: [collectionId] }, callAs(ada));
    place = { conversationId, messageId: id };
    await rate(ada);
    await system.collections.deleteCollection({ id: collectionId }, callAs(team));
    await expect(rate(ada)).rejects.toMatchObject({ code: 'conflict' });
    await remove(ada);
  });
});
