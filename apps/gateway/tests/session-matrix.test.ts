import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasRole, leastRole, ROLES, type Role } from '@lectern/api-spec';
import { ensureTeam } from '#keys/team-store';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { MATRIX, NO_KEY } from './support/matrix.ts';
import {
  createSampleInvitation,
  restoreSampleGroups,
  restoreSampleProviders,
  restoreSampleWebhook,
  signInAs,
  type TestPerson,
} from './support/people.ts';
import { KNOWN } from './support/records.ts';
import { SAMPLE_STATUS, sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
const people = new Map<Role, TestPerson>();
/** An owner of another team. */
let foreignOwner: TestPerson;
/** Whether an operation may have changed the samples or ended a session since they were made. */
let isChanged = true;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
/** The operations under test may revoke this pair, delete this invitation, and end the sessions. */
async function restoreSamples(): Promise<void> {
  if (!isChanged) return;
  await gateway.db.keyPair.update({ where: { id: KNOWN.key }, data: { revokedAt: null } });
  await createSampleInvitation(gateway.db, gateway.keys.teamId);
  await restoreSampleGroups(gateway.db, gateway.keys.teamId);
  await restoreSampleProviders(gateway.db, gateway.keys.teamId);
  await restoreSampleWebhook(gateway.db, gateway.keys.teamId);
  await gateway.restoreSlackApps();
  const { db, keys } = gateway;
  for (const role of ROLES) people.set(role, await signInAs(db, keys.teamId, role));
  foreignOwner = await signInAs(db, await ensureTeam(db, 'Other team'), 'owner');
  isChanged = false;
}
beforeEach(restoreSamples);

const KEYED = TABLE.filter(([name]) => !NO_KEY.includes(name));
type Operation = (typeof TABLE)[number][1];
const statusOf = ({ id, success }: Operation) => SAMPLE_STATUS[id] ?? success;

async function sendAs({ id, method, path }: Operation, { headers }: TestPerson, more: Record<string, string> = {}) {
  const init = sampleInit(id);
  const all = { ...init.headers, ...headers, ...more };
  const response = await gateway.send(method, samplePath(path, gateway.keys.teamId), {
    ...init,
    key: null,
    headers: all,
  });
  isChanged ||= method !== 'get' && response.status < 400;
  return response;
}

describe('the access matrix of sessions', () => {
  it.each(KEYED)('%s accepts exactly the roles of the table', async (_name, operation) => {
    for (const role of ROLES) {
      await restoreSamples();
      const response = await sendAs(operation, people.get(role)!);
      if (hasRole(role, leastRole(operation.id))) expect([role, response.status]).toEqual([role, statusOf(operation)]);
      else expectError(response, 403, 'forbidden');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each(KEYED)('%s passes the person on as the end user', async (_name, operation) => {
    const before = gateway.services.calls.length;
    const owner = people.get('owner')!;
    await sendAs(operation, owner);
    for (const { caller } of gateway.services.calls.slice(before)) {
      expect(caller).toMatchObject({ userEmail: owner.email, keyId: owner.id, mayManage: true });
    }
  });

  it.each(KEYED)('%s gives nothing to a person of another team', async (name, operation) => {
    const { otherTeam } = MATRIX[name]!;
    const response = await sendAs(operation, foreignOwner);
    // No session can call it.
    if (leastRole(operation.id) === null) expectError(response, 403, 'forbidden');
    else if (otherTeam === 'ok' || operation.isForPeople) expect(response.status).toBe(statusOf(operation));
    else expectError(response, Number(otherTeam.slice(0, 3)), otherTeam.slice(4));
  });

  it.each(KEYED)('%s rejects a session from pages of other sites', async (_name, operation) => {
    const owner = people.get('owner')!;
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://attacker.example' },
      { Origin: 'null' },
    ];
    for (const headers of foreign) expectError(await sendAs(operation, owner, headers), 403, 'forbidden');
  });

  it.each(KEYED.filter(([, { method }]) => method !== 'get'))(
    '%s rejects a session without the header that forms cannot send',
    async (_name, operation) => {
      const headers = { 'X-Lectern-CSRF': '' };
      expectError(await sendAs(operation, people.get('owner')!, headers), 403, 'forbidden', 'X-Lectern-CSRF');
    },
  );

  it.each(KEYED)('%s does not let a session act for someone else', async (_name, operation) => {
    const headers = { 'X-Service-User': 'someone@example.com' };
    expectError(await sendAs(operation, people.get('owner')!, headers), 403, 'forbidden');
  });

  it.each(KEYED)('%s requires a session that exists', async (_name, operation) => {
    const unknown = { ...people.get('owner')!, headers: { Cookie: 'lectern_session=nonsense', 'X-Lectern-CSRF': '1' } };
    expectError(await sendAs(operation, unknown), 401, 'unauthorized');
  });
});
