import { describe, expect, it } from '@jest/globals';
import { deliveryRecord } from '#operations/webhooks/mapping';

const AT = new Date('2026-01-01T00:00:00Z');

describe('a delivery in the log', () => {
  it('has its payload without the result of a schedule, which only the webhook may get', () => {
    const data = { id: 'run_1', status: 'completed', result: { content: 'Secret.' } };
    const event = { id: 'evt_1', type: 'run.completed', occurredAt: AT, data };
    const row = { id: 'whd_1', webhookId: 'wh_1', eventId: 'evt_1', resource: 'run_1', status: 'delivered', event };
    const times = { attempts: 1, log: [], nextAttemptAt: AT, createdAt: AT, endedAt: AT };
    const record = deliveryRecord({ ...row, ...times } as unknown as Parameters<typeof deliveryRecord>[0]);
    expect(record.payload.data).toEqual({ id: 'run_1', status: 'completed' });
    expect(JSON.stringify(record)).not.toContain('Secret');
  });
});
