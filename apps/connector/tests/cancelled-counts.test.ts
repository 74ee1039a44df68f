import { describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { newCollection } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector({ WORK_LEASE_MS: '1500' });
const COUNT = 12;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a cancelled sync', () => {
  it('reports exactly the documents that it indexed, whenever it is cancelled', async () => {
    const plan = fc.record({
      /** The number of items that are being fetched or indexed before the cancellation. */
      after: fc.integer({ min: 1, max: COUNT }),
      at: fc.constantFrom('fetch' as const, 'index' as const),
      /** The time to write each document. The longest exceeds a lease. */
      slow: fc.constantFrom(0, 20, 2_500),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ after, at, slow }) => {
        const { source, system, client } = on;
        source.reset();
        on.fill(COUNT);
        on.connector = await client.createConnector(newCollection(system.collection.collections), 'scripted');
        const connectorId = on.connector.id;
        let seen = 0;
        const reached = Promise.withResolvers<void>();
        const count = () => {
          seen += 1;
          if (seen === after) reached.resolve();
        };
        source.beforeFetch = async () => (at === 'fetch' ? count() : undefined);
        system.collection.beforeIndex = async () => {
          if (at === 'index') count();
          await pause(slow);
        };
        const { id: jobId } = await client.sync(connectorId);
        await reached.promise;
        // The last item may finish before the cancellation arrives.
        await client.syncs.cancelJob({ connectorId, jobId }, client.as()).catch(() => undefined);
        await waitUntil(
          async () =>
            (await system.rows(`SELECT 1 FROM sync_items WHERE job_id = $1 AND lease_until > now()`, jobId)).length ===
            0,
          { what: 'the leases to be released', timeoutMs: 30_000 },
        );
        const job = await client.syncs.getJob({ connectorId, jobId }, client.as());
        expect([JobStatus.CANCELLED, JobStatus.COMPLETED]).toContain(job.status);
        const indexed = on.live().filter(({ indexings }) => indexings > 0);
        expect(job.progress).toMatchObject({ indexed: indexed.length, failed: 0 });
      }),
      { numRuns: runCount({ quick: 4, full: 12 }), endOnFailure: true },
    );
  }, 240_000);
});
