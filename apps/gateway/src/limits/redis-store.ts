import { Redis } from 'ioredis';
import { z } from 'zod';
import type { BucketStore } from '#limits/bucket-store';
import { LEASE_SHARE } from '#limits/rate';

const PREFIX = 'lectern:rate:';

// `grantOf` in Lua, with the clock of the server. ARGV: interval, burst, needed, wanted. Numbers
// are
// doubles, exact up to 2^53; `%.0f` prevents scientific notation.
export const TAKE = `
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local needed, wanted = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local base = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local available = math.max(0, math.floor((now + burst - base) / interval))
local granted = math.min(available, math.max(needed, math.min(wanted, math.floor(available / ${LEASE_SHARE}))))
local tat = base + granted * interval
if granted > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.ceil((tat - now) / 1000) + 1000)
end
return {granted, string.format('%.0f', now), string.format('%.0f', tat)}`;

export const GIVE_BACK = `
local tat = redis.call('GET', KEYS[1])
if tat then redis.call('SET', KEYS[1], string.format('%.0f', tonumber(tat) - tonumber(ARGV[1])), 'KEEPTTL') end
return 0`;

const takeReply = z.tuple([z.number(), z.coerce.number(), z.coerce.number()]);

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Deadline of a call in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Stores buckets in a server that supports the protocol and scripts of Redis, for example Valkey.
 */
export function createRedisStore({ url, timeoutMs }: RedisStoreOptions): BucketStore {
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: timeoutMs,
    connectTimeout: timeoutMs,
    // Calls fail immediately while the server is unavailable; the client reconnects in the
    // background.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: true,
    retryStrategy: (times) => Math.min(100 * times, 1_000),
  });
  // The calls report errors.
  redis.on('error', () => undefined);
  return {
    take: async ({ name, rate, needed, wanted }) => {
      const reply = await redis.eval(TAKE, 1, PREFIX + name, rate.intervalUs, rate.burstUs, needed, wanted);
      const [granted, nowUs, tatUs] = takeReply.parse(reply);
      return { granted, nowUs, tatUs };
    },
    giveBack: async (refunds) => {
      await Promise.all(refunds.map(({ name, us }) => redis.eval(GIVE_BACK, 1, PREFIX + name, us)));
    },
    // Keys expire by themselves.
    purge: async () => undefined,
    close: async () => redis.disconnect(),
  };
}
