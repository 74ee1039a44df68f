import { ID_PREFIXES, type IdKind } from '@lectern/contracts';
import { fromUUID, typeidUnboxed } from 'typeid-js';

/**
 * Returns a new id: prefix, `_` and a UUIDv7 in base32. Ids sort by creation time
 * (https://github.com/jetify-com/typeid).
 */
export function newId(kind: IdKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** Returns the suffix for an id whose kind is not known yet. */
export function newSeed(): string {
  return typeidUnboxed('');
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the seed of the item at `index`, below 1,024, of a request with several items. */
export function seedOfItem(seed: string | undefined, index: number): string | undefined {
  return seed && `${seed.slice(0, -2)}${DIGITS[index >> 5]}${DIGITS[index & 31]}`;
}

/** Returns the id for a seed; undefined without one. */
export function idOf(kind: IdKind, seed: string | undefined): string | undefined {
  return seed === undefined ? undefined : `${ID_PREFIXES[kind]}_${seed}`;
}

/** Returns the id of a kind for a UUID: always the same one. */
export const idOfUuid = (kind: IdKind, uuid: string): string => fromUUID(uuid, ID_PREFIXES[kind]).toString();
