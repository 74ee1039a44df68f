import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 100;
const CHECK_TIMEOUT_MS = 3_000;
/** The number of consecutive failed checks after which a gateway is skipped. */
const FAILURE_THRESHOLD = 3;

/** Balances requests over the ready gateways, round-robin. */
export interface Balancer {
  /** Returns the address for the next request. */
  next(): string;
  stop(): Promise<void>;
}

export function startBalancer(addresses: readonly string[]): Balancer {
  const failures = new Map(addresses.map((address) => [address, 0]));
  const stopping = new AbortController();
  let turn = 0;

  async function watch(address: string): Promise<void> {
    while (!stopping.signal.aborted) {
      failures.set(address, (await isReady(address)) ? 0 : (failures.get(address) ?? 0) + 1);
      await delay(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const watching = Promise.all(addresses.map(watch));
  return {
    next: () => {
      const ready = addresses.filter((address) => (failures.get(address) ?? 0) < FAILURE_THRESHOLD);
      const candidates = ready.length === 0 ? addresses : ready;
      turn += 1;
      return candidates[turn % candidates.length] ?? '';
    },
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function isReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
