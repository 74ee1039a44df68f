const MAX_LENGTH = 60;

/**
 * Returns the name of an agent as a part of a model's name: `Travel helper` becomes `travel-helper`.
 * Letters of every script stay. Empty if nothing is left.
 */
export function agentSlug(name: string): string {
  return [...name.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC').toLowerCase()]
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
}
