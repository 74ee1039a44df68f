import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { SourceError } from '../source-error.ts';
import { classify, parseAddress } from './address-ranges.ts';
import { type EgressRule, holdsAddress, namesHost, normalName } from './egress-rule.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, as the system finds them. */
export type ResolveHost = (name: string) => Promise<readonly ResolvedAddress[]>;

/** The system's own resolver: what a connection without a guard would use. */
export const resolveBySystem: ResolveHost = (name) => systemLookup(name, { all: true, order: 'ipv4first' });

/** Decides which addresses may be connected to. */
export interface EgressPolicy {
  /** Throws where `host` is an address that is refused. A name passes: its addresses are looked at when it is resolved. */
  checkHost(host: string, port: number): void;
  /** Resolves a name to those of its addresses that may be connected to; for `net.connect` and `tls.connect`. */
  lookup(port: number): LookupFunction;
}

/** An address that may not be connected to. The message repeats what the user wrote, never what it resolved to. */
export const refusedAddress = (host: string) =>
  new SourceError(
    'invalid',
    `Connections to ${host} are not allowed: it is not a public address. The operator of Lectern can allow it with the setting EGRESS_ALLOW.`,
  );

/** The policy of a list of rules. `trusted` are hosts with their ports of the operator's own settings: any address of theirs passes. */
export function createEgressPolicy(
  rules: readonly EgressRule[],
  resolve: ResolveHost,
  trusted: ReadonlySet<string> = new Set(),
): EgressPolicy {
  const mayConnect = (host: string, text: string, port: number): boolean => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    if (trusted.has(`${host}:${port}`)) return true;
    const kind = classify(address);
    if (kind === 'public' || rules.some((rule) => holdsAddress(rule, address, port, kind === 'metadata'))) return true;
    return kind === 'inside' && rules.some((rule) => namesHost(rule, host, port));
  };

  const addressesOf = async (name: string, port: number): Promise<readonly ResolvedAddress[]> => {
    const found = (await resolve(name)).filter(({ address }) => mayConnect(normalName(name), address, port));
    if (found.length === 0) throw refusedAddress(name);
    return found;
  };

  return {
    checkHost: (host, port) => {
      if (host === '' || host.includes('/') || host.includes('\0')) throw refusedAddress('a path on this machine');
      if (parseAddress(host) !== undefined && !mayConnect(normalName(host), host, port)) throw refusedAddress(host);
    },
    lookup: (port) => (name, options, callback) => {
      addressesOf(name, port).then(
        (found) => {
          const family = options.family === 4 || options.family === 6 ? options.family : undefined;
          const usable = found.filter((entry) => family === undefined || entry.family === family);
          const first = usable[0];
          if (first === undefined) callback(refusedAddress(name), '', 4);
          else if (options.all) callback(null, [...usable]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 4),
      );
    },
  };
}
