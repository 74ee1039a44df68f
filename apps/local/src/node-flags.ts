import type { ServiceName } from '#services';

/**
 * Half of V8's young generation, in MiB. The default is 16 MiB or more in each of nine processes.
 * Services that answer queries or process documents need more, or short-lived objects are promoted
 * too early.
 */
const SEMI_SPACE_MIB: Readonly<Record<ServiceName, number>> = {
  gateway: 8,
  search: 16,
  chat: 8,
  agent: 2,
  collection: 8,
  connector: 8,
};

/**
 * The limit of V8's old generation, in MiB: far above what a service uses, but low enough that V8
 * collects garbage early. The default depends on the machine's memory.
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
