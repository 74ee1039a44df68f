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

/** A kind as rows hold it; undefined where none is meant. */
export const kindName = (kind: MemoryKind): KindName | undefined => NAMES.get(kind);

/** A row's kind as the contract has it. */
export const kindOf = (name: string): MemoryKind => KINDS.get(name) ?? MemoryKind.UNSPECIFIED;

/** A row's kind by its type. */
export const asKindName = (name: string): KindName => NAMES.get(kindOf(name)) ?? 'fact';
