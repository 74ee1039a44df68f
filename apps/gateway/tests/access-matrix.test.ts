import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessOf, hasRole, type OperationAccess, RIGHTS, ROLES, TOKEN_RIGHTS, tokenRightOf } from '@lectern/api-spec';
import { createKeyPair } from '#keys/pair-store';
import { createUserToken } from '#keys/user-token-store';
import { expectError } from './support/expect-error.ts';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import { NO_KEY } from './support/matrix.ts';
import { tokensFor } from './support/oauth-app.ts';
import {
  createSampleInvitation,
  restoreSampleGroups,
  restoreSampleProviders,
  restoreSampleWebhook,
  signInAs,
} from './support/people.ts';
import { KNOWN } from './support/records.ts';
import { SAMPLE_STATUS, sampleInit, samplePath, TABLE } from './support/samples.ts';

/** Whom the table of access describes, with the credential of each. */
interface Caller {
  readonly name: string;
  /** A new session for each request, because some operations end sessions. */
  readonly init: () => Promise<SendInit>;
  readonly isPerson?: true;
  readonly mayCall: (access: OperationAccess) => boolean;
}

let gateway: TestGateway;
/** Whether an operation may have changed the samples since they were made. */
let isChanged = true;
const callers: Caller[] = [];

const inAnHour = () => new Date(Date.now() + 3_600_000);

beforeAll(async () => {
  gateway = await startTestGateway();
  const { db, keys } = gateway;
  const asKey = (key: string) => async (): Promise<SendInit> => ({ key });
  for (const role of ROLES) {
    const init = async () => ({ key: null, headers: (await signInAs(db, keys.teamId, role)).headers });
    callers.push({ name: role, init, isPerson: true, mayCall: (access) => hasRole(role, access.role) });
  }
  for (const right of RIGHTS) {
    const { secretKey } = await createKeyPair(db, keys.teamId, right, { rights: [right] });
    const mayCall = (access: OperationAccess) => access.right === null || (access.right === right && !access.wholeKey);
    callers.push({ name: `a key with only ${right}`, init: asKey(secretKey), mayCall });
    const others = RIGHTS.filter((name) => name !== right);
    const withoutOne = await createKeyPair(db, keys.teamId, `not ${right}`, { rights: others });
    callers.push({
      name: `a key without ${right}`,
      init: asKey(withoutOne.secretKey),
      mayCall: (access) => access.right !== right && !access.wholeKey,
    });
  }
  for (const rights of [['search'], ['chat'], [...TOKEN_RIGHTS]] as const) {
    const settings = { user: 'ada@example.com', collections: undefined, filters: undefined, expiresAt: inAnHour() };
    const { token } = await createUserToken(db, keys.secretKey, { ...settings, rights });
    const mayCall = (access: OperationAccess) => {
      const needed = tokenRightOf(access);
      return access.userToken && (needed === null || rights.some((right) => right === needed));
    };
    callers.push({ name: `a user token for ${rights.join(' and ')}`, init: asKey(token), mayCall });
  }
  callers.push({
    name: 'a publishable key',
    init: asKey(keys.publishableKey),
    mayCall: ({ publishable }) => publishable,
  });
  const { access_token: app } = await tokensFor(gateway.url, await signInAs(db, keys.teamId, 'owner'));
  callers.push({ name: 'a connected app of an owner', init: asKey(app), mayCall: (access) => access.app });
  callers.push({ name: 'a secret key with all rights', init: asKey(keys.secretKey), mayCall: () => true });
});
afterAll(() => gateway.stop());

/** The operations under test may revoke this pair, and delete this invitation. */
async function restoreSamples(): Promise<void> {
  if (!isChanged) return;
  // A key with the right `keys` alone can manage only pairs that can do no more.
  await gateway.db.keyPair.update({ where: { id: KNOWN.key }, data: { revokedAt: null, rights: ['keys'] } });
  await createSampleInvitation(gateway.db, gateway.keys.teamId);
  await restoreSampleGroups(gateway.db, gateway.keys.teamId);
  await restoreSampleProviders(gateway.db, gateway.keys.teamId);
  await restoreSampleWebhook(gateway.db, gateway.keys.teamId);
  await gateway.restoreSlackApps();
  isChanged = false;
}

describe('the table of access', () => {
  it.each(TABLE.filter(([name]) => !NO_KEY.includes(name)))(
    'decides who may call %s',
    async (_name, { id, method, path, success, isForPeople }) => {
      const access = accessOf(id);
      const send = ({ headers, ...init }: SendInit) => {
        const sample = sampleInit(id);
        return gateway.send(method, samplePath(path, gateway.keys.teamId), {
          ...sample,
          ...init,
          headers: { ...sample.headers, ...headers },
        });
      };
      expectError(await send({ key: null }), 401, 'unauthorized');
      const check = async ({ name, init, isPerson, mayCall }: Caller) => {
        const response = await send(await init());
        const isAllowed = mayCall(access) && (isPerson === true || isForPeople !== true);
        expect([name, response.status]).toEqual([name, isAllowed ? (SAMPLE_STATUS[id] ?? success) : 403]);
        if (!isAllowed) expectError(response, 403, 'forbidden');
        isChanged ||= method !== 'get' && isAllowed;
      };
      if (method === 'get') {
        await restoreSamples();
        await Promise.all(callers.map(check));
        return;
      }
      for (const caller of callers) {
        await restoreSamples();
        await check(caller);
      }
    },
  );
});
