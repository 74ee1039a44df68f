import type { ServiceName } from '#services';

/**
 * V8's young generation, in MiB a half. Left alone it grows to three times 16 MiB or more in each of nine processes. Those that handle documents
 * get more: too small a one makes what is short-lived look old.
 */
const SEMI_SPACE_MIB: Readonly<Record<ServiceName, number>> = {
  gateway: 4,
  search: 4,
  chat: 8,
  agent: 2,
  collection: 8,
  connector: 4,
};

/**
 * The most that a service keeps alive, in MiB: far above what it uses, and low enough that V8 collects before it grows. Without it V8 goes by the
 * machine's memory.
 */
const OLD_SPACE_MIB: Readonly<Record<ServiceName, number>> = {
  gateway: 768,
  search: 1024,
  chat: 512,
  agent: 512,
  collection: 1024,
  connector: 768,
};

/** Node's flags for a service on one machine, where nine processes share the memory. */
export function nodeFlags(service: ServiceName): string[] {
  return [`--max-semi-space-size=${SEMI_SPACE_MIB[service]}`, `--max-old-space-size=${OLD_SPACE_MIB[service]}`];
}

/**
 * glibc keeps an arena of freed memory for each of many threads; two are enough for what Node's threads do. And it learns to keep large blocks that
 * were freed, up to 32 MiB each: with fixed limits they go back to the system.
 */
export const ALLOCATOR_ENV = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
