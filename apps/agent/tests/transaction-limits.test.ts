import { expect, it } from '@jest/globals';
import { prismaOptions } from '@lectern/service-kit';
import { testDatabase } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';

it('a transaction waits for a connection that is in use for longer than two seconds', async () => {
  const database = await testDatabase();
  const db = new PrismaClient(prismaOptions({ url: database.url, schema: 'agent', maxConnections: 1 }));
  const sleep = (seconds: number) => db.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(${seconds})::text`);
  try {
    await expect(Promise.all([sleep(3), sleep(0)])).resolves.toHaveLength(2);
  } finally {
    await db.$disconnect();
    await database.drop();
  }
});
