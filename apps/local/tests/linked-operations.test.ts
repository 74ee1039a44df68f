import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { createDriver, type Driver } from './conformance/driver.ts';
import { type Call, linkedCalls, requestsOf } from './conformance/linked-calls.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const CALLS = runCount({ quick: 200, full: 1_000 });
/** Of each operation, so that walks also reach records that were created late. */
const MAX_KNOWN = 20;
const SEED = Number(process.env.LINKED_SEED ?? 20);
/** Pages, files, another protocol, and operations that call other platforms. Other tests call them. */
const EXCLUDED = new Set([
  'mcp',
  'uploadFiles',
  'initOAuth',
  'completeOAuth',
  'getConsole',
  'getReference',
  'getWidget',
  'getWidgetAsk',
  'createSlackApp',
]);
/** They would take the key away from this test. */
const OF_OTHER_KEYS = new Set(['updateApiKey', 'rotateApiKey', 'revokeApiKey']);

let lectern: Lectern;
let driver: Driver;
beforeAll(async () => {
  lectern = await startLectern({
    RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_INS_PER_MINUTE: '1000000',
  });
  driver = await createDriver(lectern);
});
afterAll(() => lectern?.stop());

/** Follows the links of responses with generated requests, as stateful test tools do. */
async function walk(seed: number, ownKey: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const known = new Map<string, Call[]>();
  const add = (call: Call) => {
    if (EXCLUDED.has(call.operationId)) return;
    if (OF_OTHER_KEYS.has(call.operationId) && call.path.id === ownKey) return;
    const calls = known.get(call.operationId) ?? [];
    if (calls.some(({ path }) => JSON.stringify(path) === JSON.stringify(call.path))) return;
    known.set(call.operationId, [...calls.slice(-MAX_KNOWN), call]);
  };
  for (const [operationId, { path }] of driver.operations) if (!path.includes('{')) add({ operationId, path: {} });
  add({ operationId: 'chat', path: { teamId: lectern.credentials.teamId } });
  add({ operationId: 'streamChat', path: { teamId: lectern.credentials.teamId } });

  const ids = (operationId: string) => (known.get(operationId) ?? []).map(({ path }) => String(path.id));
  for (let step = 0; step < CALLS; step += 1) {
    const options = { seed: seed * 100_003 + step, numRuns: 1 };
    const next = fc.constantFrom(...known.values()).chain((calls) => fc.constantFrom(...calls));
    const [call] = fc.sample(next, options);
    const { operation, method } = driver.operations.get(call!.operationId)!;
    const [request] = fc.sample(requestsOf(driver.document, operation, ids), options);
    try {
      const { status, data } = await driver.drive(call!.operationId, { ...request, path: call!.path });
      if (status >= 500) problems.push(`${call!.operationId}: ${status}`);
      for (const linked of linkedCalls(operation, { call: call!, status, data })) add(linked);
      if (method === 'delete' && status < 300) problems.push(...(await stillThere(call!)));
    } catch (error) {
      problems.push(`seed ${seed}, step ${step}: ${String(error)} for ${JSON.stringify({ ...call, ...request })}`);
    }
  }
  return problems;
}

/** Reads a deleted record. Returns a problem unless it is not found. Revoked keys remain, and defaults replace a budget. */
async function stillThere({ operationId, path }: Call): Promise<readonly string[]> {
  const read = operationId.replace(/^delete/, 'get');
  if (read === operationId || !driver.operations.has(read)) return [];
  const { status, data } = await driver.drive(read, { path });
  if (operationId === 'deleteBudget' && data?.isDefault === true) return [];
  return status === 404 ? [] : [`${read} returns ${status} after ${operationId}`];
}

describe('generated requests along the links of the OpenAPI document', () => {
  it('get documented responses, and deleted records are not found', async () => {
    const { data } = await driver.drive('getOwnKey');
    const problems = await walk(SEED, data.id);
    const names = (statuses: ReadonlySet<string>) => new Set([...statuses].map((one) => one.split(' ')[0]));
    const succeeded = names(driver.succeeded);
    const called = names(new Set([...driver.rejected, ...driver.succeeded]));
    process.stderr.write(`${CALLS} requests to ${called.size} operations, of which ${succeeded.size} succeeded\n`);
    expect(problems).toEqual([]);
    // Fewer would mean that the walk does not reach records, or that generated requests are rejected.
    expect(succeeded.size).toBeGreaterThan(CALLS / 20);
  });
});
