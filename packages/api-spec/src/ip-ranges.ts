/** A range of IP addresses: all that begin with the first `prefix` bits of `base`. */
export interface IpRange {
  readonly version: 4 | 6;
  /** The lowest address of the range. */
  readonly base: bigint;
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;
/** The IPv6 addresses that stand for IPv4 ones: `::ffff:192.0.2.1`. */
const MAPPED_PREFIX = 96;
const MAPPED = 0xffffn << 32n;

/** Without leading zeros, which some programs read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^[\da-f:.]+$/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

function bitsOf(parts: readonly string[], radix: number, size: bigint): bigint {
  return parts.reduce((bits, part) => (bits << size) | BigInt(Number.parseInt(part, radix)), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  if (!IPV6.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]`)) return undefined;
  // A URL contains the canonical text: lower case, without IPv4 parts, `::` for the zeros.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = (part = '') => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  return bitsOf([...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)], 16, 16n);
}

/**
 * Parses an address or a CIDR range, IPv4 or IPv6. Bits after the prefix are cleared. IPv4 addresses
 * in IPv6 notation become IPv4. Returns undefined for any other text.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = '', prefixText, ...rest] = text.split('/');
  const version = IPV4.test(address) ? 4 : 6;
  const bits = version === 4 ? bitsOf(address.split('.'), 10, 8n) : parseIpv6(address);
  const prefix = prefixText === undefined ? BITS[version] : Number(prefixText);
  if (bits === undefined || rest.length > 0 || prefix > BITS[version]) return undefined;
  if (prefixText !== undefined && !PREFIX.test(prefixText)) return undefined;
  if (version === 6 && prefix >= MAPPED_PREFIX && bits >> 32n === MAPPED >> 32n) {
    return narrowed(4, bits - MAPPED, prefix - MAPPED_PREFIX);
  }
  return narrowed(version, bits, prefix);
}

function narrowed(version: 4 | 6, bits: bigint, prefix: number): IpRange {
  const free = BigInt(BITS[version] - prefix);
  return { version, base: (bits >> free) << free, prefix };
}

function formatAddress({ version, base }: IpRange): string {
  const partsOf = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => (base >> BigInt((count - 1 - at) * size)) & ((1n << BigInt(size)) - 1n));
  if (version === 4) return partsOf(4, 8).join('.');
  const groups = partsOf(8, 16).map((group) => group.toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Formats a range as CIDR, a single address without a prefix. */
export function formatIpRange(range: IpRange): string {
  const address = formatAddress(range);
  return range.prefix === BITS[range.version] ? address : `${address}/${range.prefix}`;
}

/** True if `outer` contains all addresses of `inner`. */
export function containsRange(outer: IpRange, inner: IpRange): boolean {
  if (outer.version !== inner.version || outer.prefix > inner.prefix) return false;
  const free = BigInt(BITS[outer.version] - outer.prefix);
  return outer.base >> free === inner.base >> free;
}
