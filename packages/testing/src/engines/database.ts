import { randomUUID } from 'node:crypto';
import { createDatabase, dropDatabase } from '@lectern/local-engines';
import { requiredEnv } from '#engines/required-env';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the PostgreSQL server of the test run. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = requiredEnv('LECTERN_TEST_DATABASE_URL');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  return { url: await createDatabase(server, name), drop: () => dropDatabase(server, name) };
}
