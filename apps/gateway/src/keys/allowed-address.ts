import { BlockList } from 'node:net';
import { formatIpRange, parseIpRange } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';

/** By the list of a cached key, which never changes. */
const lists = new WeakMap<readonly string[], BlockList>();

function listOf(ranges: readonly string[]): BlockList {
  const known = lists.get(ranges);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseIpRange(text);
    if (range === undefined) continue;
    const [address = ''] = formatIpRange(range).split('/');
    list.addSubnet(address, range.prefix, range.version === 4 ? 'ipv4' : 'ipv6');
  }
  lists.set(ranges, list);
  return list;
}

/** True if one of the ranges contains the address. An empty list allows every address. */
export function isAddressAllowed(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const single = parseIpRange(address);
  if (single === undefined) return false;
  return listOf(ranges).check(formatIpRange(single), single.version === 4 ? 'ipv4' : 'ipv6');
}

/** Checks the address of a client against the list of the key pair. Throws `forbidden`. */
export function requireAllowedAddress({ allowedIps }: StoredKey, address: string): void {
  if (isAddressAllowed(allowedIps, address)) return;
  throw new AppError(
    'forbidden',
    `Address not allowed: this API key may not be used from ${address}. An admin can change its allowed IP addresses on the Keys page of the console.`,
  );
}
