import { fileURLToPath } from 'node:url';
import { applyMigrations, prismaOptions } from '@lectern/service-kit';
import { testDatabase } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';

/** A database with the tables of the service. */
export interface AgentDatabase {
  readonly db: PrismaClient;
  drop(): Promise<void>;
}

export async function createAgentDatabase(): Promise<AgentDatabase> {
  const database = await testDatabase();
  const dir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
  await applyMigrations({ url: database.url, schema: 'agent', dir });
  const db = new PrismaClient(prismaOptions({ url: database.url, schema: 'agent' }));
  const drop = async () => {
    await db.$disconnect();
    await database.drop();
  };
  return { db, drop };
}
