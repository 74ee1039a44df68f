import { BlockList } from 'node:net';
import { formatIpRange, type IpRange, parseIpRange } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';

/** One list for each version of IP: Node.js would compare `::/0` with IPv4 addresses too. */
type Lists = Readonly<Record<IpRange['version'], BlockList>>;

/** By the list of a cached key, which never changes. */
const lists = new WeakMap<readonly string[], Lists>();

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

function listsOf(ranges: readonly string[]): Lists {
  const known = lists.get(ranges);
  if (known !== undefined) return known;
  const created: Lists = { 4: new BlockList(), 6: new BlockList() };
  for (const text of ranges) {
    const range = parseIpRange(text);
    if (range === undefined) continue;
    const [address = ''] = formatIpRange(range).split('/');
    created[range.version].addSubnet(address, range.prefix, FAMILIES[range.version]);
  }
  lists.set(ranges, created);
  return created;
}

/** True if one of the ranges contains the address. An empty list allows every address. */
export function isAddressAllowed(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const single = parseIpRange(address);
  if (single === undefined) return false;
  const { version } = single;
  return listsOf(ranges)[version].check(formatIpRange(single), FAMILIES[version]);
}

/** Checks the address of a client against the list of the key pair. Throws `forbidden`. */
export function requireAllowedAddress({ allowedIps }: StoredKey, address: string): void {
  if (isAddressAllowed(allowedIps, address)) return;
  throw new AppError(
    'forbidden',
    `Address not allowed: this API key may not be used from ${address}. An admin can change its allowed IP addresses on the Keys page of the console.`,
  );
}
