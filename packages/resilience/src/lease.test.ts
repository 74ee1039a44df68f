import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { type HeldLease, holdLease, LeaseLost, type LeaseOptions, renewTogether, WorkerStopping } from '#lease';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function hold(renew: () => Promise<boolean>, options: Partial<LeaseOptions> = {}): HeldLease & { errors: unknown[] } {
  const errors: unknown[] = [];
  const onRenewError = (error: unknown) => errors.push(error);
  const lease = holdLease(renew, { leaseMs: 400, stop: new AbortController().signal, onRenewError, ...options });
  return { ...lease, errors };
}

describe('holdLease', () => {
  it('renews four times per lease until renewing is stopped', async () => {
    let renewals = 0;
    const lease = hold(async () => {
      renewals += 1;
      return true;
    });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(renewals).toBe(10);
    lease.stopRenewing();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(renewals).toBe(10);
    expect(lease.signal.aborted).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('aborts the work when a renewal reports that the lease is lost', async () => {
    const lease = hold(async () => false);
    await jest.advanceTimersByTimeAsync(100);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    lease.stopRenewing();
  });

  it('expires if and only if no renewal succeeds for the duration of a lease', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (outcomes) => {
        const remaining = [...outcomes];
        const lease = hold(async () => {
          if (remaining.shift()) return true;
          throw new Error('database unavailable');
        });
        let failuresInARow = 0;
        for (const succeeds of outcomes) {
          await jest.advanceTimersByTimeAsync(100);
          failuresInARow = succeeds ? 0 : failuresInARow + 1;
          // 4 × 100 ms is not yet longer than the lease.
          if (failuresInARow > 4) break;
        }
        expect(lease.signal.aborted).toBe(failuresInARow > 4);
        lease.stopRenewing();
      }),
    );
  });

  it('starts no renewal while the last one is running, and expires if it does not end', async () => {
    const first = Promise.withResolvers<boolean>();
    let renewals = 0;
    const lease = hold(() => {
      renewals += 1;
      return renewals === 1 ? first.promise : new Promise(() => undefined);
    });
    await jest.advanceTimersByTimeAsync(300);
    expect(renewals).toBe(1);
    first.resolve(true);
    await jest.advanceTimersByTimeAsync(400);
    expect(renewals).toBe(2);
    expect(lease.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(renewals).toBe(2);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    lease.stopRenewing();
  });

  it('reports each renewal that fails', async () => {
    const error = new Error('database unavailable');
    const lease = hold(() => Promise.reject(error));
    await jest.advanceTimersByTimeAsync(200);
    expect(lease.errors).toEqual([error, error]);
    lease.stopRenewing();
  });

  it('aborts with the given error when the work takes too long', async () => {
    const error = new Error('too long');
    const lease = hold(async () => true, { timeoutMs: 1_000, timeoutError: () => error });
    await jest.advanceTimersByTimeAsync(999);
    expect(lease.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(lease.signal.reason).toBe(error);
    lease.stopRenewing();
  });

  it('counts the time limit from the last extension', async () => {
    const lease = hold(async () => true, { timeoutMs: 1_000 });
    await jest.advanceTimersByTimeAsync(999);
    lease.extendDeadline();
    await jest.advanceTimersByTimeAsync(999);
    expect(lease.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
    lease.stopRenewing();
    lease.extendDeadline();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('aborts when the process stops, even if it stopped before', () => {
    const stop = new AbortController();
    const lease = hold(async () => true, { stop: stop.signal });
    stop.abort();
    expect(lease.signal.reason).toBeInstanceOf(WorkerStopping);
    lease.stopRenewing();
    const late = hold(async () => true, { stop: stop.signal });
    expect(late.signal.reason).toBeInstanceOf(WorkerStopping);
    late.stopRenewing();
  });
});

describe('renewTogether', () => {
  it('renews the current leases in one call, four times per lease', async () => {
    const calls: (readonly string[])[] = [];
    let keys: string[] = [];
    const renewal = renewTogether({
      leaseMs: 400,
      keys: () => keys,
      renew: async (leased) => calls.push(leased),
      onRenewError: () => undefined,
    });
    await jest.advanceTimersByTimeAsync(200);
    expect(calls).toEqual([]);
    keys = ['a', 'b'];
    await jest.advanceTimersByTimeAsync(200);
    expect(calls).toEqual([keys, keys]);
    await renewal.stop();
    await jest.advanceTimersByTimeAsync(400);
    expect(calls).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('continues after a failure, and waits for a running renewal', async () => {
    const errors: unknown[] = [];
    const first = Promise.withResolvers<void>();
    let renewals = 0;
    const renewal = renewTogether({
      leaseMs: 400,
      keys: () => ['a'],
      renew: () => {
        renewals += 1;
        return renewals === 1 ? first.promise : Promise.resolve();
      },
      onRenewError: (error) => errors.push(error),
    });
    await jest.advanceTimersByTimeAsync(300);
    expect(renewals).toBe(1);
    first.reject(new Error('database unavailable'));
    await jest.advanceTimersByTimeAsync(100);
    expect(errors).toHaveLength(1);
    expect(renewals).toBe(2);
    await renewal.stop();
  });
});
