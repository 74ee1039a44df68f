import ipaddr from 'ipaddr.js';
import { isWithin, parseAddress } from '#address-ranges';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of the operator's list of private addresses that connectors can connect to. */
export type EgressRule =
  | { readonly kind: 'addresses'; readonly network: Address; readonly bits: number; readonly port: number | undefined }
  /** `suffix` matches every name below it, not the suffix itself. */
  | { readonly kind: 'host' | 'suffix'; readonly name: string; readonly port: number | undefined };

const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}\.?)+$/;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const bad = (entry: string, why: string) =>
  new TypeError(
    `EGRESS_ALLOW: "${entry}" ${why}. An entry is an address, a range like 10.0.0.0/8, a host or *.host, each with an optional :port.`,
  );

function splitPort(entry: string): { host: string; port: number | undefined } {
  const found = /^(?:\[([^\]]*)\]|([^:[\]]+))(\/\d{1,3})?:(\d{1,5})$/.exec(entry);
  if (found === null) return { host: entry.replace(/^\[([^\]]*)\](\/\d{1,3})?$/, '$1$2'), port: undefined };
  const port = Number(found[4]);
  if (port < 1 || port > 65_535) throw bad(entry, 'has an invalid port; use 1 to 65535');
  return { host: `${found[1] ?? found[2]}${found[3] ?? ''}`, port };
}

function parseEntry(entry: string): readonly EgressRule[] {
  if (entry.includes('://')) throw bad(entry, 'is a URL');
  const { host, port } = splitPort(entry);
  const addresses = (cidr: string): EgressRule => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return { kind: 'addresses', network, bits, port };
  };
  if (host.includes('/')) {
    if (!ipaddr.isValidCIDR(host)) throw bad(entry, 'is not a range of addresses');
    return [addresses(host)];
  }
  const address = parseAddress(host);
  if (address !== undefined) return [addresses(`${address}/${address.kind() === 'ipv4' ? 32 : 128}`)];
  const name = normalName(host);
  const suffix = name.startsWith('*.') ? name.slice(2) : undefined;
  if (!NAME.test(suffix ?? name)) throw bad(entry, 'is neither an address nor a host');
  if (/^[\d.]+$/.test(name)) throw bad(entry, 'is not a complete address');
  if (suffix !== undefined) return [{ kind: 'suffix', name: suffix, port }];
  const host_: EgressRule = { kind: 'host', name, port };
  return name === 'localhost' ? [host_, ...LOOPBACK.map(addresses)] : [host_];
}

/** Normalizes a host name: lower case, without a final dot. */
export const normalName = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/**
 * Parses `EGRESS_ALLOW`: entries separated by commas, each an address (`10.1.2.3`, `::1`), a range
 * (`10.0.0.0/8`), a host (`db.internal`) or all names below one (`*.internal`), with an optional
 * port (`db.internal:5432`, `[::1]:8080`, `10.0.0.0/8:443`). `localhost` includes the loopback
 * addresses. Throws `TypeError` that names the invalid entry.
 */
export function parseEgressAllow(text: string): readonly EgressRule[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap(parseEntry);
}

/** Returns true if the rule names this host, regardless of its addresses. */
export function namesHost(rule: EgressRule, host: string, port: number): boolean {
  if (rule.kind === 'addresses' || (rule.port !== undefined && rule.port !== port)) return false;
  return rule.kind === 'host' ? rule.name === host : host.endsWith(`.${rule.name}`);
}

/**
 * Returns true if the address is in the rule's range; with `exact`, only for a rule with this
 * single address.
 */
export function includesAddress(rule: EgressRule, address: Address, port: number, exact: boolean): boolean {
  if (rule.kind !== 'addresses' || (rule.port !== undefined && rule.port !== port)) return false;
  if (exact && rule.bits !== (rule.network.kind() === 'ipv4' ? 32 : 128)) return false;
  return isWithin(address, [rule.network, rule.bits]);
}
