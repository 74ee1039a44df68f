import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { exportAudit } from '#audit/read-audit';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const PATH = '/api/v1/audit/export';
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Creates a team with audit events, many of them at the same time. */
async function newTeam(name: string, events: number) {
  const teamId = await ensureTeam(gateway.db, name);
  const pair = await createKeyPair(gateway.db, teamId, name);
  const start = Date.parse('2026-03-01T00:00:00Z');
  const rows = Array.from({ length: events }, (_, n) => ({
    id: newId('audit'),
    teamId,
    action: n % 2 ? 'createAgent' : 'deleteAgent',
    resourceType: 'agent',
    keyId: pair.id,
    origin: '192.0.2.1',
    createdAt: new Date(start + Math.floor(n / 700) * 1_000),
  }));
  await gateway.db.auditEvent.createMany({ data: rows });
  return { ...pair, ids: new Set(rows.map(({ id }) => id)) };
}

describe('the export of the audit log', () => {
  it('returns each matching event once as JSON Lines, in the order of the list', async () => {
    const { secretKey: key, ids } = await newTeam('Exported', 1_801);
    const response = await gateway.send('GET', `${PATH}?from=2026-03-01&to=2026-03-02`, { key });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const exported = linesOf(response.text);
    expect(new Set(exported.map(({ id }) => id))).toEqual(ids);
    expect(exported).toHaveLength(ids.size);
    const listed = await gateway.send('GET', '/api/v1/audit?to=2026-03-02&limit=100&page=8', { key });
    expect(exported.slice(700, 800)).toEqual(listed.json.data);
    const filtered = await gateway.send('GET', `${PATH}?action=createAgent`, { key });
    expect(linesOf(filtered.text)).toHaveLength(900);
  });

  it('is recorded with its filters, and does not contain itself', async () => {
    const { secretKey: key } = await newTeam('Recorded', 1);
    expect(linesOf((await gateway.send('GET', `${PATH}?action=exportAudit`, { key })).text)).toEqual([]);
    const { json } = await gateway.send('GET', '/api/v1/audit?action=exportAudit', { key });
    expect(json.data).toEqual([expect.objectContaining({ details: { filters: { action: 'exportAudit' } } })]);
  });

  it('shows the names of people and keys', async () => {
    const pair = await newTeam('Named', 1);
    const admin = await signInAs(gateway.db, pair.teamId, 'admin');
    await gateway.send('PUT', '/api/v1/budgets/people', { key: null, headers: admin.headers, json: {} });
    const response = await gateway.send('GET', PATH, { key: null, headers: admin.headers });
    expect(linesOf(response.text).map(({ actor }) => actor)).toEqual([
      { keyId: null, user: admin.email, name: 'A admin' },
      { keyId: pair.id, user: null, name: 'Named' },
    ]);
  });

  it('ends with its signal', async () => {
    const { teamId } = await newTeam('Aborted', 1);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(exportAudit(gateway.db, teamId, {}, signal).next()).rejects.toThrow('gone');
  });

  it('is for admins', async () => {
    const member = await signInAs(gateway.db, gateway.keys.teamId, 'editor');
    expectError(await gateway.send('GET', PATH, { key: null, headers: member.headers }), 403, 'forbidden');
  });
});
