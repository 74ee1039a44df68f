import { afterEach, describe, expect, it } from '@jest/globals';
import { ensureNatsServer } from '@lectern/local-engines';
import { testNatsCluster } from '@lectern/testing';
import pg from 'pg';
import { createApi } from '../tests/support/api.ts';
import { NATS_CACHE } from '../tests/support/nats-cache.ts';
import { createResources } from './support/create-resources.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectAcceptable } from './support/expect-acceptable.ts';
import { untilAllWork } from './support/recovery.ts';
import { report, summarize } from './support/report.ts';
import { createDocument, KINDS, type Kind, type Outcome, perform, type Resources } from './support/requests.ts';
import { type Stack, startStack } from './support/stack.ts';

const READ_ONLY_MS = 10_000;
const DOCUMENTS_PER_SERVER = 60;
const WRITERS = 4;

const open: { stop(): Promise<unknown> }[] = [];
const closeLater = <T extends { stop(): Promise<unknown> }>(part: T): T => {
  open.unshift(part);
  return part;
};
afterEach(async () => {
  for (const part of open.splice(0)) await part.stop();
});

/** Repeats a request, one after the other, until it is stopped. */
function repeat(kind: Kind, resources: Resources, name: string) {
  const outcomes: Outcome[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let at = 0; !isStopped; at++) outcomes.push(await perform(kind, resources, `${name}-${at}`));
  })();
  return async () => {
    isStopped = true;
    await running;
    return outcomes;
  };
}

/** Creates documents, several at a time. */
async function createDocuments(resources: Resources, name: string, count: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const write = async () => {
    while (next < count) outcomes.push(await perform(createDocument, resources, `${name}-${next++}`));
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return outcomes;
}

describe('a cluster of three NATS servers', () => {
  it('loses no search and no document when each server is killed in turn during indexing', async () => {
    const binary = await ensureNatsServer({ cacheDir: NATS_CACHE });
    const cluster = closeLater(await testNatsCluster(binary));
    const env = { NATS_URL: cluster.url, NATS_REPLICAS: '3' };
    const stack = closeLater(await startStack({ name: 'nats-failover', env }));
    const resources = await createResources(stack.credentials);
    const [search] = KINDS;
    const stopSearches = repeat(search!, resources, 'search');
    const created: Outcome[] = [];
    for (const [at, member] of cluster.members.entries()) {
      const creating = createDocuments(resources, `without-${at}`, DOCUMENTS_PER_SERVER);
      await member.kill();
      created.push(...(await creating));
      await member.restart();
    }
    const searches = await stopSearches();
    report({ part: 'failover', scenario: 'NATS', ...summarize([...searches, ...created]) });
    expect(searches.filter(({ result }) => result !== 'ok')).toEqual([]);
    expectAcceptable(created);
    await expectEachOnce(resources, created);
    const documents = await createApi(stack.credentials).all(`/api/v1/collections/${resources.collection}/documents`);
    expect(documents).toHaveLength(cluster.members.length * DOCUMENTS_PER_SERVER);
  });
});

describe('a failover of PostgreSQL', () => {
  const onServer = async (stack: Stack, statement: string) => {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE');
    await client.query(statement);
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  };

  it('loses nothing: writes return 503 with Retry-After until the server accepts them again', async () => {
    const stack = closeLater(await startStack({ name: 'postgres-failover' }));
    const resources = await createResources(stack.credentials);
    const before = KINDS.map((kind) => perform(kind, resources, 'before'));
    const creating = createDocuments(resources, 'during', 40);

    await stack.proxies.postgres.break('cut');
    await onServer(stack, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await stack.proxies.postgres.restore();
    const readOnlyUntil = performance.now() + READ_ONLY_MS;
    const outcomes: Outcome[] = [];
    const rejected = await fetch(`${resources.credentials.baseUrl}/api/v1/collections`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${resources.credentials.secretKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Rejected' }),
    });
    expect(rejected.status).toBe(503);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await rejected.json()).toMatchObject({ error: { code: 'unavailable' } });
    for (let round = 0; performance.now() < readOnlyUntil; round++)
      outcomes.push(...(await Promise.all(KINDS.map((kind) => perform(kind, resources, `read-only-${round}`)))));
    await onServer(stack, 'ALTER SYSTEM RESET default_transaction_read_only');

    const recovery = await untilAllWork(resources, 'after');
    outcomes.push(...(await Promise.all(before)), ...(await creating));
    report({ part: 'failover', scenario: 'PostgreSQL', ...summarize(outcomes), ...recovery });
    expectAcceptable(outcomes);
    await expectEachOnce(resources, outcomes);
  });
});
