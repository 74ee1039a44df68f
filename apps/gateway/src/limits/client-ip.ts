import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The maximum number of addresses read from X-Forwarded-For. Trusted proxies never add more. */
const MAX_HOPS = 20;

/** True for proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies = (address: string) => boolean;

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Normalizes an address: `::ffff:192.0.2.1` becomes 192.0.2.1, and a zone (`fe80::1%eth0`) is
 * removed.
 */
function plain(address: string): string {
  const [text = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  return mapped ?? text.toLowerCase();
}

/** True for an address or a CIDR range, IPv4 or IPv6. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32));
}

/** Trusts the given addresses and CIDR ranges. An empty list trusts no proxy. */
export function trustProxies(ranges: readonly string[]): TrustedProxies {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(plain(address), family(plain(address)));
    else list.addSubnet(address, Number(bits), family(address));
  }
  return (address) => list.check(address, family(address));
}

/** Parses an entry of X-Forwarded-For, without the port that some proxies add. */
function forwardedAddress(entry: string): string | undefined {
  const text = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = plain(bracketed ?? withPort ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Returns the client's address: that of the connection, or behind a trusted proxy, the last address
 * in X-Forwarded-For that is not a trusted proxy. Earlier entries can be forged by the client.
 */
export function clientAddress({ socket, headers }: IncomingMessage, isTrusted: TrustedProxies): string {
  let address = plain(socket.remoteAddress ?? '');
  if (address === '' || !isTrusted(address)) return address;
  const hops = (headers['x-forwarded-for']?.toString() ?? '').split(',').slice(-MAX_HOPS).reverse();
  for (const hop of hops) {
    const next = forwardedAddress(hop);
    if (next === undefined) break;
    address = next;
    if (!isTrusted(address)) break;
  }
  return address;
}

/** True if the client uses TLS, as far as a trusted proxy reports it. */
export function isForwardedOverTls({ socket, headers }: IncomingMessage, isTrusted: TrustedProxies): boolean {
  const proxy = plain(socket.remoteAddress ?? '');
  // The first of several proxies is the one that the client connects to.
  const [scheme = ''] = headers['x-forwarded-proto']?.toString().split(',') ?? [];
  return proxy !== '' && isTrusted(proxy) && scheme.trim().toLowerCase() === 'https';
}

/**
 * The network that counts as one client: an IPv4 address, or the /56 of an IPv6 address, which
 * usually belongs to one customer.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...after].slice(0, 4);
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  numbers[3] = (numbers[3] ?? 0) & 0xff00;
  return `${numbers.map((group) => group.toString(16)).join(':')}::/56`;
}
