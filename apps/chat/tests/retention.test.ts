import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations, newId, prismaOptions } from '@lectern/service-kit';
import { createCaller, type TestDatabase, testDatabase } from '@lectern/testing';
import { readRetention, removeOldConversations, writeRetention } from '#conversations/retention';
import { PrismaClient } from '#gen/prisma/client';
import { setRetention } from '#handlers/retention';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

let database: TestDatabase;
let db: PrismaClient;
beforeAll(async () => {
  database = await testDatabase();
  const dir = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await applyMigrations({ url: database.url, schema: 'chat', dir });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'chat' }));
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** Creates a conversation with a message and a reply that was never stored. */
async function createConversation(teamId: string, days: number, turnUntil: Date | null = null) {
  const id = newId('conversation');
  const message = { id: newId('message'), position: 0, role: 'user', content: 'x' } as const;
  await db.conversation.create({
    data: {
      id,
      teamId,
      title: 'x',
      messageCount: 1,
      updatedAt: daysAgo(days),
      turnUntil,
      messages: { create: message },
      openReplies: { create: { id: newId('message') } },
    },
  });
  return id;
}

describe('the retention of conversations', () => {
  it('deletes old ones with their messages and replies, of this team only, on all replicas at once', async () => {
    const [teamId, otherTeam] = [createCaller().teamId, createCaller().teamId];
    for (let n = 0; n < 450; n += 1) await createConversation(teamId, 31);
    const kept = [
      await createConversation(teamId, 29),
      await createConversation(teamId, 31, new Date(Date.now() + 60_000)),
      await createConversation(otherTeam, 1_000),
    ];
    expect(await removeOldConversations(db)).toBe(0);
    await writeRetention(db, teamId, 30);
    const removed = await Promise.all([removeOldConversations(db), removeOldConversations(db)]);
    expect(removed[0] + removed[1]).toBe(450);
    expect((await db.conversation.findMany()).map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    expect([await db.message.count(), await db.openReply.count()]).toEqual([3, 3]);
  });

  it('can be removed, and is changed only with full scope', async () => {
    const caller = createCaller();
    const set = (days: number | undefined, by = caller) =>
      setRetention(Object({ db }))({ conversationDays: days }, Object({ caller: by }));
    await set(7);
    expect(await readRetention(db, caller.teamId)).toBe(7);
    await set(undefined);
    expect(await readRetention(db, caller.teamId)).toBeUndefined();
    const scoped = { ...caller, scope: { kind: 'only', ids: [] } } as const;
    await expect(set(7, scoped)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
