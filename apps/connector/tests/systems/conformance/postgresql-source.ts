import { prismaOptions } from '@lectern/service-kit';
import { testDatabase } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';
import type { TestSource } from './test-source.ts';

/** A real database with one table; each row is an item. */
export async function postgresql(): Promise<TestSource> {
  const database = await testDatabase();
  const url = new URL(database.url);
  const db = new PrismaClient(prismaOptions({ url: database.url, schema: 'public' }));
  await db.$executeRaw`CREATE TABLE notes (id bigserial PRIMARY KEY, title text NOT NULL, body text)`;
  const keyOf = (id: string) => BigInt(id.split('.').at(-1) ?? '0');
  return {
    type: 'postgresql',
    hasUrls: false,
    env: {},
    config: { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1) },
    credentials: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    add: async (items) => {
      const ids: string[] = [];
      for (const { name, text } of items) {
        const [row] = await db.$queryRaw<{ id: bigint }[]>`
          INSERT INTO notes (title, body) VALUES (${name}, ${text}) RETURNING id`;
        ids.push(`public.notes.${row?.id}`);
      }
      return ids;
    },
    change: async (id, text) => {
      await db.$executeRaw`UPDATE notes SET body = ${text} WHERE id = ${keyOf(id)}`;
    },
    rename: async (id, name) => {
      await db.$executeRaw`UPDATE notes SET title = ${name} WHERE id = ${keyOf(id)}`;
    },
    remove: async (id) => {
      await db.$executeRaw`DELETE FROM notes WHERE id = ${keyOf(id)}`;
    },
    stop: async () => {
      await db.$disconnect();
      await database.drop();
    },
  };
}
