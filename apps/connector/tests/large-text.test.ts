import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { createParserPool, type ParserPool } from '@lectern/documents';
import { MAX_TEXT_BYTES } from '#sync/worker/text-bytes';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

/** The temporary file that the parser read. */
let spooled = '';
const waits: { readonly bytes: number; readonly isSpooled: boolean }[] = [];
let pool: ParserPool;
let system: TestSystem;
beforeAll(async () => {
  pool = createParserPool({ size: 1, timeoutMs: 60_000, memoryLimitMb: 1_024, maxInputBytes: 10_000_000 });
  const parser: ParserPool = {
    ...pool,
    parse: (input, options) => {
      if ('path' in input) spooled = input.path;
      return pool.parse(input, options);
    },
  };
  system = await startSystem({
    overrides: {
      parser,
      texts: {
        within: (bytes, work) => {
          waits.push({ bytes, isSpooled: existsSync(spooled) });
          return work();
        },
      },
    },
  });
});
afterAll(async () => {
  await system.stop();
  await pool.close();
});

describe('a large text', () => {
  it('leaves room for other texts, and waits without its temporary file', async () => {
    const { client, collection } = system;
    const connector = await client.createConnector(newCollection(collection.collections));
    const content = 'The same line again.\n'.repeat(150_000);
    const { jobId } = await client.upload(connector.id, [{ path: 'log.txt', content }]);
    expect((await client.ended(connector.id, jobId)).status).toBe(JobStatus.COMPLETED);
    expect(spooled).not.toBe('');
    expect(waits).toEqual([{ bytes: MAX_TEXT_BYTES / 4, isSpooled: false }]);
  });
});
