import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/local-engines';
import { timeLimit } from '@lectern/testing';
import { createApi } from '../tests/support/api.ts';
import { createResources, newCollection } from './support/create-resources.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectAcceptable } from './support/expect-acceptable.ts';
import { FAULTS, type Fault } from './support/fault-proxy.ts';
import { untilAllWork } from './support/recovery.ts';
import { report, summarize } from './support/report.ts';
import { KINDS, perform, type Resources } from './support/requests.ts';
import { type Dependency, type Stack, startStack } from './support/stack.ts';

const RECOVERY_MS = 10_000;
const CLOSING_MS = 10_000;
/** An idle service stops faster than this. Running calls could delay its stop by 10 s. */
const STOP_MS = 6_000;
/** The maximum number of connections of all services: one for each client, one pool for each engine. */
const MAX_CONNECTIONS: Readonly<Record<Dependency, number>> = {
  postgres: 54,
  nats: 3,
  qdrant: 48,
  search: 3,
  chat: 2,
  agent: 2,
  collection: 5,
  connector: 2,
};
const DEPENDENCIES = Object.keys(MAX_CONNECTIONS) as readonly Dependency[];

let stack: Stack;
let shared: Resources;
let scenarios = 0;

/** Starts a scenario, with its own collection and tag. */
async function newScenario(): Promise<{ readonly resources: Resources; readonly tag: string }> {
  scenarios += 1;
  const collection = await newCollection(createApi(stack.credentials), `Scenario ${scenarios}`);
  return { resources: { ...shared, collection }, tag: `m${scenarios}` };
}

const performAll = (resources: Resources, tag: string) => KINDS.map((kind) => perform(kind, resources, tag));

/** Checks that closed and abandoned connections do not accumulate. */
async function expectFewConnections(): Promise<void> {
  const counts = () => DEPENDENCIES.map((name) => [name, stack.proxies[name].connections()] as const);
  const exceeding = () => counts().filter(([name, count]) => count > MAX_CONNECTIONS[name]);
  // The `waitUntil` of other tests waits longer than a test may take.
  const options = { what: 'connections to close', timeoutMs: timeLimit(CLOSING_MS) };
  await waitUntil(() => exceeding().length === 0, options).catch(() => undefined);
  expect(exceeding()).toEqual([]);
}

beforeAll(async () => {
  stack = await startStack({ name: 'matrix' });
  shared = await createResources(stack.credentials);
});
afterAll(() => stack?.stop());

describe('a healthy system', () => {
  it('responds to requests of every kind', async () => {
    const { resources, tag } = await newScenario();
    const outcomes = await Promise.all(performAll(resources, tag));
    report({ part: 'matrix', scenario: 'no fault', ...summarize(outcomes) });
    expect(outcomes.map(({ result }) => result)).toEqual(KINDS.map(() => 'ok'));
    await expectEachOnce(resources, outcomes);
    await expectFewConnections();
  });
});

describe.each(DEPENDENCIES)('a system with a faulty connection to %s', (dependency) => {
  it.each(FAULTS)('responds in time, recovers and loses no data: %s', async (fault: Fault) => {
    const { resources, tag } = await newScenario();
    const proxy = stack.proxies[dependency];
    // Some requests are running when the fault starts, the others start during it.
    const before = performAll(resources, `${tag}a`);
    await proxy.break(fault);
    const outcomes = await Promise.all([...before, ...performAll(resources, `${tag}b`)]).finally(() => proxy.restore());
    const recovery = await untilAllWork(resources, `${tag}c`);
    report({ part: 'matrix', scenario: `${dependency}, ${fault}`, ...summarize(outcomes), ...recovery });
    expectAcceptable(outcomes);
    expect(recovery.recoveredMs).toBeLessThan(RECOVERY_MS);
    await expectEachOnce(resources, outcomes);
    await expectFewConnections();
  });
});

describe('a system after all these faults', () => {
  it.each(['gateway', 'chat', 'agent', 'connector', 'search', 'collection'] as const)(
    'has no open call that delays a stop of %s',
    async (service) => {
      for (const replica of stack.replicas[service]) {
        expect(await replica.stop()).toBeLessThan(STOP_MS);
        expect(await replica.process().exited).toMatchObject({ code: 0 });
      }
    },
  );
});
