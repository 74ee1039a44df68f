/**
 * Assigns a name to one of two halves (FNV-1a), so that every fit and evaluation splits the same
 * way.
 */
export function halfOf(name: string): 0 | 1 {
  return (foldOf(name) & 1) === 0 ? 0 : 1;
}

/** Hashes a name to a number with well-mixed bits. */
export function foldOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 13) & 0xffff;
}
