import { ID_PREFIXES, type IdKind } from '@lectern/contracts';
import { typeidUnboxed } from 'typeid-js';

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

/** Returns the id for a seed; undefined without one. */
export function idOf(kind: IdKind, seed: string | undefined): string | undefined {
  return seed === undefined ? undefined : `${ID_PREFIXES[kind]}_${seed}`;
}
