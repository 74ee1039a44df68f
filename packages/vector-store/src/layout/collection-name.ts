import { createHash } from 'node:crypto';

/**
 * Returns the Qdrant collection of an embedding model: the prefix and the model's name in lower
 * case, with `-` for every character except letters, digits, `.`, `_` and `-`. If that changes the
 * name, eight hex digits of its SHA-256 keep it unique: `builtin-hash-512` becomes
 * `lectern_builtin-hash-512`, `openai/text-embedding-3-small` becomes `lectern_openai-text-
 * embedding-3-small-3d0b02d0`.
 */
export function collectionName(prefix: string, model: string): string {
  const slug = model.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  if (slug === model) return `${prefix}${slug}`;
  return `${prefix}${slug}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`;
}
