import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { removeOldData } from '#retention/remove-old-data';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const set = (json: object) => gateway.send('PUT', '/api/v1/retention', { json });

describe('the retention of a team', () => {
  it('is unlimited by default, and is passed to the services that own the data', async () => {
    const { json } = await gateway.send('GET', '/api/v1/retention');
    expect(json.data).toEqual({ conversations: null, audit: null, events: null, usage: null });
    expect((await set({ conversations: 30, events: 7 })).json.data).toMatchObject({ audit: null, events: 7 });
    const sent = gateway.services.calls.filter(({ method }) => method.startsWith('set'));
    expect(sent.map(({ method, request }) => [method, request])).toEqual([
      ['setRunRetention', expect.objectContaining({ runDays: 30 })],
      ['setRetention', expect.objectContaining({ conversationDays: 30 })],
    ]);
    await set({ events: null });
    expect((await gateway.send('GET', '/api/v1/retention')).json.data).toMatchObject({ events: null });
  });

  it('is recorded in the audit log with the earlier values', async () => {
    await set({ audit: 40 });
    const { json } = await gateway.send('GET', '/api/v1/audit?action=updateRetention');
    expect(json.data[0].details).toMatchObject({ before: { audit: null }, changes: { audit: 40 } });
  });

  it('keeps concurrent changes of different fields', async () => {
    for (let days = 31; days < 41; days += 1) {
      await Promise.all([set({ audit: days }), set({ events: days }), set({ usage: days })]);
      const { json } = await gateway.send('GET', '/api/v1/retention');
      expect(json.data).toMatchObject({ audit: days, events: days, usage: days });
    }
  });

  it('deletes only what is older, of this team, on all replicas at once', async () => {
    const teams = [gateway.keys, gateway.otherKeys];
    for (const { teamId, id: keyId } of teams) {
      const audit = { teamId, action: 'x', resourceType: 'x', origin: 'x' };
      const event = { teamId, keyId, name: 'x' };
      const counts = { requests: 1n, errors: 0n, promptTokens: 0n, completionTokens: 0n, durations: [] };
      const old = Array.from({ length: 2_500 }, () => ({ ...audit, id: newId('audit'), createdAt: daysAgo(41) }));
      await gateway.db.auditEvent.createMany({
        data: [...old, { ...audit, id: newId('audit'), createdAt: daysAgo(39) }],
      });
      for (const days of [9, 11]) {
        await gateway.db.analyticsEvent.create({ data: { ...event, id: newId('event'), occurredAt: daysAgo(days) } });
        await gateway.db.usageHour.create({ data: { teamId, hour: daysAgo(days), kind: 'other', ...counts } });
        const day = { teamId, day: daysAgo(days), subject: keyId, model: '', cost: 0n, ...counts };
        await gateway.db.usageDay.create({ data: day });
      }
    }
    await set({ audit: 40, events: 10, usage: 10 });
    await Promise.all([removeOldData(gateway.db), removeOldData(gateway.db)]);
    const remaining = await Promise.all(
      teams.map(async ({ teamId }) => {
        const where = { teamId, createdAt: { lt: daysAgo(1) } };
        return [
          await gateway.db.auditEvent.count({ where }),
          await gateway.db.analyticsEvent.count({ where: { teamId } }),
          await gateway.db.usageHour.count({ where: { teamId, hour: { lt: daysAgo(1) } } }),
          await gateway.db.usageDay.count({ where: { teamId, day: { lt: daysAgo(2) } } }),
        ];
      }),
    );
    expect(remaining).toEqual([
      [1, 1, 1, 1],
      [2_501, 2, 2, 2],
    ]);
  });

  it.each([
    [{ audit: 29 }, 'audit'],
    [{ conversations: 0 }, 'conversations'],
    [{ usage: 4_000 }, 'usage'],
    [{ runs: 1 }, 'runs'],
  ])('rejects %j', async (changes, path) => {
    expectError(await set(changes), 400, 'invalid_request', path);
  });
});
