import { MemoryKind } from '@lectern/contracts';
import type { Recalled } from '#memories/memories';

export type KindName = Recalled['kind'];

const NAMES: ReadonlyMap<MemoryKind, KindName> = new Map([
  [MemoryKind.FACT, 'fact'],
  [MemoryKind.PREFERENCE, 'preference'],
  [MemoryKind.INSIGHT, 'insight'],
  [MemoryKind.PROCEDURE, 'procedure'],
]);
const KINDS: ReadonlyMap<string, MemoryKind> = new Map([...NAMES].map(([kind, name]) => [name, kind]));

/** Converts a kind to its stored name. Undefined for UNSPECIFIED. */
export const kindName = (kind: MemoryKind): KindName | undefined => NAMES.get(kind);

/** Converts a stored name to the contract's kind. */
export const kindOf = (name: string): MemoryKind => KINDS.get(name) ?? MemoryKind.UNSPECIFIED;

/** Narrows a stored name to a known kind. */
export const asKindName = (name: string): KindName => NAMES.get(kindOf(name)) ?? 'fact';
