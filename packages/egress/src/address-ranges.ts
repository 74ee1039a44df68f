import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/**
 * How an address relates to the operator's network. `inside` is a private network, which an entry
 * with a host name can allow. `special` and `metadata` need an entry with an address, `metadata`
 * its exact one.
 */
export type AddressClass = 'public' | 'inside' | 'special' | 'metadata';

const ranges = (...texts: readonly string[]): readonly Range[] => texts.map((text) => ipaddr.parseCIDR(text));

// Cloud metadata services, which return credentials. Some are in public or private ranges.
const METADATA = ranges(
  '169.254.169.254/32', // AWS, GCP, Azure and most others
  '169.254.170.2/32', // AWS task credentials
  '169.254.170.23/32', // AWS pod identity
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:ec2::254/128', // AWS
  'fd00:ec2::23/128', // AWS pod identity
  'fd20:ce::254/128', // GCP
  'fd00:42::42/128', // Scaleway
);

const INSIDE = ranges(
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
);

// IANA's registries of special-purpose IPv4 and IPv6 addresses, and multicast.
const SPECIAL = ranges(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
);

// Outside this block, IPv6 has no public addresses.
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR('2000::/3');
const NAT64: Range = ipaddr.parseCIDR('64:ff9b::/96');

/** Returns true if the address is in the range; false for addresses of the other family. */
export function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/**
 * Returns the address that a connection reaches: an IPv4 address mapped into IPv6, or behind the
 * well-known NAT64 prefix, is that IPv4 address. Drops zones and brackets. Undefined if the text is
 * not an address in its usual form.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  // ipaddr.js treats ::127.0.0.1 as a mapped address; sockets do not.
  const hex = bare.includes(':') && URL.canParse(`http://[${bare}]`) ? new URL(`http://[${bare}]`).hostname : bare;
  const address = ipaddr.process(hex.replace(/^\[(.*)\]$/, '$1'));
  return isWithin(address, NAT64) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

/**
 * Returns the class of an address by the IANA registries; IPv6 outside global unicast is never
 * public.
 */
export function classify(address: Address): AddressClass {
  const within = (list: readonly Range[]) => list.some((range) => isWithin(address, range));
  if (within(METADATA)) return 'metadata';
  if (within(INSIDE)) return 'inside';
  if (within(SPECIAL)) return 'special';
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST) ? 'public' : 'special';
}
