import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import type { Prisma } from '#gen/prisma/client';
import { hashPassword } from '#identity/passwords';
import { lockPeople } from '#identity/person-store';
import { createKeyPair } from '#keys/pair-store';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';

const TIMEOUT_MS = 60_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type Headers = Readonly<Record<string, string>>;

/** Sends a request without the end of its body. */
function hold(path: string, headers: Headers) {
  const held = request(gateway.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1', ...headers },
  });
  held.write('{"name":');
  return async (rest: string) => {
    const answered = once(held, 'response');
    held.end(rest);
    const [response] = (await answered) as [IncomingMessage];
    const body = (await json(response)) as { readonly error?: { readonly code: string } };
    return { status: response.statusCode, code: body.error?.code };
  };
}

const accepted = (isAccepted: () => Promise<boolean>) =>
  waitUntil(isAccepted, { what: 'the request to be accepted', timeoutMs: TIMEOUT_MS, intervalMs: 50 });

/** True once the gateway has stored that the person sent a request. */
const hasUsedSession = (personId: string) => async () => {
  const session = await gateway.db.session.findFirstOrThrow({ where: { personId } });
  return session.lastSeenAt > session.createdAt;
};

async function newPerson(role: 'editor' | 'admin' | 'owner') {
  const person = await signInAs(gateway.db, gateway.keys.teamId, role);
  const createdAt = new Date(Date.now() - 60_000);
  await gateway.db.session.updateMany({ where: { personId: person.id }, data: { createdAt, lastSeenAt: createdAt } });
  return person;
}

const change = (id: string, json: object) => gateway.send('PUT', `/api/v1/people/${id}`, { json });

describe('a request whose body arrives after the caller lost access', () => {
  it('is refused for a person with a lower role, and for one whose session ended', async () => {
    const cases = [
      { json: { role: 'member' }, expected: { status: 403, code: 'forbidden' } },
      { json: { status: 'deactivated' }, expected: { status: 401, code: 'unauthorized' } },
    ];
    for (const { json, expected } of cases) {
      const person = await newPerson('editor');
      const finish = hold('/api/v1/collections', person.headers);
      await accepted(hasUsedSession(person.id));
      await change(person.id, json);
      expect(await finish('"Handbook"}')).toEqual(expected);
    }
  });

  it('is refused for a revoked key', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'revoked');
    const finish = hold('/api/v1/collections', { 'X-Service-Key': pair.secretKey });
    const isUsed = async () =>
      (await gateway.db.keyPair.findUniqueOrThrow({ where: { id: pair.id } })).lastUsedAt !== null;
    await accepted(isUsed);
    await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`);
    expect(await finish('"Handbook"}')).toEqual({ status: 401, code: 'invalid_key' });
  });
});

describe('a request that changes rights, while they change', () => {
  type Change = (tx: Prisma.TransactionClient) => Promise<unknown>;

  /** Locks rows, sends a request that waits for them, and makes a change before it gets them. */
  async function race(lock: Change, send: () => ReturnType<TestGateway['send']>, change: Change) {
    const sent = await gateway.db.$transaction(
      async (tx) => {
        await lock(tx);
        const response = send();
        const isWaiting = async () => {
          const [row] = await tx.$queryRaw<{ waiting: bigint }[]>`
            SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()`;
          return (row?.waiting ?? 0n) > 0n;
        };
        await waitUntil(isWaiting, { what: 'the request to wait', timeoutMs: TIMEOUT_MS, intervalMs: 20 });
        await change(tx);
        return { response };
      },
      { timeout: TIMEOUT_MS },
    );
    return sent.response;
  }

  const lockTeam: Change = (tx) => lockPeople(tx, gateway.keys.teamId);

  it('is refused if the password of the sign-in was replaced, or the account deactivated', async () => {
    const password = 'a long enough sentence';
    const passwordHash = await hashPassword(password);
    const changes = [{ passwordHash: await hashPassword('another long sentence') }, { status: 'deactivated' }] as const;
    for (const data of changes) {
      const { id, email } = await newPerson('editor');
      const where = { id };
      await gateway.db.person.update({ where, data: { passwordHash } });
      const signIn = () => gateway.send('POST', '/api/v1/session', { key: null, json: { email, password } });
      const response = await race(
        (tx) => tx.person.update({ where, data }),
        signIn,
        async () => undefined,
      );
      expect(response.status).toBe(401);
    }
  }, 120_000);

  it('is refused if its sender lost the right', async () => {
    const target = await newPerson('editor');
    const other = await createKeyPair(gateway.db, gateway.keys.teamId, 'other');
    const attempts = [
      ['PUT', `/api/v1/people/${target.id}`, { role: 'admin' }],
      ['POST', `/api/v1/people/${target.id}/password-reset`, undefined],
      ['DELETE', `/api/v1/people/${target.id}/sessions`, undefined],
      ['POST', '/api/v1/invitations', { email: 'me@example.com', role: 'admin' }],
      ['POST', '/api/v1/api-keys', { name: 'mine' }],
      ['POST', `/api/v1/api-keys/${other.id}/rotate`, {}],
      ['DELETE', `/api/v1/api-keys/${other.id}`, undefined],
    ] as const;
    for (const [method, path, json] of attempts) {
      const admin = await newPerson('admin');
      const send = () => gateway.send(method, path, { key: null, json, headers: admin.headers });
      const demoted = await race(lockTeam, send, (tx) =>
        tx.person.update({ where: { id: admin.id }, data: { role: 'member' } }),
      );
      expect([path, demoted.status]).toEqual([path, 403]);
    }
    const admin = await newPerson('admin');
    const restore = () =>
      gateway.send('PUT', `/api/v1/people/${admin.id}`, {
        key: null,
        json: { status: 'active' },
        headers: admin.headers,
      });
    const where = { id: admin.id };
    const deactivate: Change = (tx) => tx.person.update({ where, data: { status: 'deactivated' } });
    expect((await race(lockTeam, restore, deactivate)).status).toBe(401);
    expect(await gateway.db.person.findUniqueOrThrow({ where })).toMatchObject({
      status: 'deactivated',
    });
  }, 120_000);
});
