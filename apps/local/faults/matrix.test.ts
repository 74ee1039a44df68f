import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { createApi } from '../tests/support/api.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectFair } from './support/fair.ts';
import { FAULTS, type Fault } from './support/fault-proxy.ts';
import { makePlace, newCollection } from './support/place.ts';
import { untilAllWork } from './support/recovery.ts';
import { report, summarize } from './support/report.ts';
import { KINDS, type Place, perform } from './support/requests.ts';
import { type Dependency, type Stack, startStack } from './support/stack.ts';

const RECOVERY_MS = 10_000;
const CLOSING_MS = 30_000;
/** An idle service stops much faster than the 10 s that running calls have. */
const STOP_MS = 6_000;
/** The maximum number of connections of all services: one for each client, one pool for each engine. */
const MOST_CONNECTIONS: Readonly<Record<Dependency, number>> = {
  postgres: 54,
  nats: 3,
  qdrant: 48,
  search: 3,
  chat: 1,
  agent: 2,
  collection: 5,
  connector: 2,
};
const DEPENDENCIES = Object.keys(MOST_CONNECTIONS) as readonly Dependency[];

let stack: Stack;
let place: Place;
let scenes = 0;

/** Creates a collection for the scene, with a name. */
async function newScene(): Promise<{ readonly here: Place; readonly tag: string }> {
  scenes += 1;
  const collection = await newCollection(createApi(stack.credentials), `Scene ${scenes}`);
  return { here: { ...place, collection }, tag: `m${scenes}` };
}

const performAll = (here: Place, tag: string) => KINDS.map((kind) => perform(kind, here, tag));

/** Checks that closed and abandoned connections do not accumulate. */
async function expectNoneLeft(): Promise<void> {
  const counts = () => DEPENDENCIES.map((name) => [name, stack.proxies[name].connections()] as const);
  const tooMany = () => counts().filter(([name, count]) => count > MOST_CONNECTIONS[name]);
  await waitUntil(() => tooMany().length === 0, { what: 'connections', timeoutMs: CLOSING_MS }).catch(() => undefined);
  expect(tooMany()).toEqual([]);
}

beforeAll(async () => {
  stack = await startStack({ name: 'matrix' });
  place = await makePlace(stack.credentials);
});
afterAll(() => stack?.stop());

describe('a healthy system', () => {
  it('responds to requests of every kind', async () => {
    const { here, tag } = await newScene();
    const outcomes = await Promise.all(performAll(here, tag));
    report({ part: 'matrix', scene: 'no fault', ...summarize(outcomes) });
    expect(outcomes.map(({ result }) => result)).toEqual(KINDS.map(() => 'ok'));
    await expectEachOnce(here, outcomes);
    await expectNoneLeft();
  });
});

describe.each(DEPENDENCIES)('a system with a faulty connection to %s', (dependency) => {
  it.each(FAULTS)('responds in time, recovers and loses no data: %s', async (fault: Fault) => {
    const { here, tag } = await newScene();
    const proxy = stack.proxies[dependency];
    // Some requests are running when the fault starts, the others start during it.
    const before = performAll(here, `${tag}a`);
    await proxy.break(fault);
    const outcomes = await Promise.all([...before, ...performAll(here, `${tag}b`)]).finally(() => proxy.restore());
    const recovery = await untilAllWork(here, `${tag}c`);
    report({ part: 'matrix', scene: `${dependency}, ${fault}`, ...summarize(outcomes), ...recovery });
    expectFair(outcomes);
    expect(recovery.recoveredMs).toBeLessThan(RECOVERY_MS);
    await expectEachOnce(here, outcomes);
    await expectNoneLeft();
  });
});

describe('a system after all these faults', () => {
  it.each(['gateway', 'chat', 'agent', 'connector', 'search', 'collection'] as const)(
    'has no call open that a stop of %s would wait for',
    async (service) => {
      for (const replica of stack.replicas[service]) {
        expect(await replica.stop()).toBeLessThan(STOP_MS);
        expect(await replica.process().exited).toMatchObject({ code: 0 });
      }
    },
  );
});
