import { typeidUnboxed } from 'typeid-js';

/** The prefixes of Lectern's ids, one a resource. */
export const ID_PREFIXES = {
  team: 'team',
  key: 'key',
  collection: 'col',
  space: 'spc',
  document: 'doc',
  connector: 'con',
  job: 'job',
  item: 'item',
  file: 'file',
  agent: 'agt',
  template: 'tpl',
  memory: 'mem',
  conversation: 'conv',
  message: 'msg',
  run: 'run',
  request: 'req',
  audit: 'aud',
  event: 'evt',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** A new id: prefix, `_`, and a UUIDv7 in base32, so ids sort by time of making (https://github.com/jetify-com/typeid). */
export function newId(kind: IdKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** What the id of something is made of, before it is known what that will be. */
export function newSeed(): string {
  return typeidUnboxed('');
}

/** The id that a seed gives; undefined without one. */
export function idOf(kind: IdKind, seed: string | undefined): string | undefined {
  return seed === undefined ? undefined : `${ID_PREFIXES[kind]}_${seed}`;
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** True for a well-formed id of the kind; says nothing of whether it exists. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return value.startsWith(prefix) && SUFFIX.test(value.slice(prefix.length));
}
