import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '#services';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { createResources } from './support/create-resources.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectAcceptable } from './support/expect-acceptable.ts';
import { report, summarize } from './support/report.ts';
import { KINDS, type Kind, type Outcome, perform, type Resources } from './support/requests.ts';
import { type Stack, startStack } from './support/stack.ts';

const SERVICES: readonly ServiceName[] = ['gateway', 'search', 'chat', 'agent', 'collection', 'connector'];
/** As in `infra/k8s`: running calls finish, also on a slow machine. */
const SHUTDOWN_TIMEOUT_MS = 30_000;
/** Longer than the balancer needs to detect that a gateway is stopping. */
const DRAIN_MS = 2_000;
/** Like minReadySeconds of a deployment: clients find a new replica within 2 s. */
const MIN_READY_MS = 3_000;
const UNARY = KINDS.filter(({ terminal }) => terminal === undefined);
const STREAMS = KINDS.filter(({ terminal }) => terminal !== undefined);
const PAUSE_MS = 25;

let stack: Stack;
let balancer: Balancer;
let shared: Resources;

/** Sends requests of all kinds in a few parallel loops until the work is done, without retries. */
async function underLoad<T>(
  loops: readonly (readonly Kind[])[],
  tag: string,
  work: () => Promise<T>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let isDone = false;
  const run = async (kinds: readonly Kind[], loop: number) => {
    for (let round = 0; !isDone; round += 1) {
      for (const kind of kinds) {
        const baseUrl = balancer.next();
        const resources = { ...shared, credentials: { ...shared.credentials, baseUrl } };
        outcomes.push(await perform(kind, resources, `${tag}-${loop}-${round}`));
        await delay(PAUSE_MS);
      }
    }
  };
  const running = loops.map(run);
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(running);
  return outcomes;
}

beforeAll(async () => {
  stack = await startStack({
    name: 'rolling-restart',
    replicas: 2,
    env: { DRAIN_MS: `${DRAIN_MS}`, SHUTDOWN_TIMEOUT_MS: `${SHUTDOWN_TIMEOUT_MS}` },
  });
  shared = await createResources(stack.credentials);
  balancer = startBalancer(stack.replicas.gateway.map(({ port }) => `http://127.0.0.1:${port}`));
});
afterAll(async () => {
  await balancer?.stop();
  await stack?.stop();
});

describe('a system with two replicas of each service under load', () => {
  it.each(SERVICES)('fails no call while each %s is restarted', async (service) => {
    // Each loop starts with another kind, so that all kinds are running at any time.
    const loops = [UNARY, [...UNARY].reverse(), [...UNARY.slice(4), ...UNARY.slice(0, 4)], STREAMS];
    const outcomes = await underLoad(loops, service, async () => {
      for (const replica of stack.replicas[service]) {
        await replica.stop();
        await replica.start();
        await delay(MIN_READY_MS);
      }
    });
    report({ part: 'rolling restart', scenario: service, ...summarize(outcomes) });
    expectAcceptable(outcomes);
    const failed = outcomes.filter(({ kind, result }) => kind.terminal === undefined && !hasSucceeded(kind, result));
    expect(failed.map(({ kind, tag, result }) => `${kind.name} ${tag}: ${result}`)).toEqual([]);
    await expectEachOnce(shared, outcomes);
  });
});

/** Returns whether a request succeeded. A conflict with the running sync is not a failure. */
const hasSucceeded = ({ name }: Kind, result: string): boolean =>
  result === 'ok' || (result === 'conflict' && (name === 'sync' || name === 'upload'));
