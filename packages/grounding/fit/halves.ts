/** One of two halves, by a name alone (FNV-1a), so that every fit and every evaluation splits alike. */
export function halfOf(name: string): 0 | 1 {
  return (foldOf(name) & 1) === 0 ? 0 : 1;
}

/** A number from a name, of which higher bits are well mixed. */
export function foldOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 13) & 0xffff;
}
