import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { classify, parseAddress } from '#address-ranges';
import { EgressError } from '#egress-error';
import { type EgressRule, includesAddress, namesHost, normalName } from '#egress-rule';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a name. */
export type ResolveHost = (name: string) => Promise<readonly ResolvedAddress[]>;

/** The system's resolver, as for a connection without a guard. */
export const resolveBySystem: ResolveHost = (name) => systemLookup(name, { all: true, order: 'ipv4first' });

/** Decides which addresses are allowed. */
export interface EgressPolicy {
  /**
   * Throws if `host` is a blocked address. A name passes: its addresses are checked when it is
   * resolved.
   */
  checkHost(host: string, port: number): void;
  /** Resolves a name to its allowed addresses; for `net.connect` and `tls.connect`. */
  lookup(port: number): LookupFunction;
}

/**
 * Returns the error for a blocked address. The message contains what the user wrote, never the
 * resolved address.
 */
export const blockedAddress = (host: string) =>
  new EgressError(
    `Connections to ${host} are not allowed, because it is not a public address. The operator of Lectern can allow it with EGRESS_ALLOW.`,
  );

/**
 * Creates a policy. `trusted` contains `host:port` from the operator's settings: all their
 * addresses are allowed.
 */
export function createEgressPolicy(
  rules: readonly EgressRule[],
  resolve: ResolveHost,
  trusted: ReadonlySet<string> = new Set(),
): EgressPolicy {
  const isAllowed = (host: string, text: string, port: number): boolean => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    if (trusted.has(`${host}:${port}`)) return true;
    const kind = classify(address);
    if (kind === 'public' || rules.some((rule) => includesAddress(rule, address, port, kind === 'metadata')))
      return true;
    return kind === 'inside' && rules.some((rule) => namesHost(rule, host, port));
  };

  const addressesOf = async (name: string, port: number): Promise<readonly ResolvedAddress[]> => {
    const found = (await resolve(name)).filter(({ address }) => isAllowed(normalName(name), address, port));
    if (found.length === 0) throw blockedAddress(name);
    return found;
  };

  return {
    checkHost: (host, port) => {
      if (host === '' || host.includes('/') || host.includes('\0')) throw blockedAddress('a path on this machine');
      if (parseAddress(host) !== undefined && !isAllowed(normalName(host), host, port)) throw blockedAddress(host);
    },
    lookup: (port) => (name, options, callback) => {
      addressesOf(name, port).then(
        (found) => {
          const family = options.family === 4 || options.family === 6 ? options.family : undefined;
          const usable = found.filter((entry) => family === undefined || entry.family === family);
          const first = usable[0];
          if (first === undefined) callback(blockedAddress(name), '', 4);
          else if (options.all) callback(null, [...usable]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 4),
      );
    },
  };
}
