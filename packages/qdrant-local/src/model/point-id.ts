/** A point's id: an unsigned integer, or a UUID in its hyphenated lower-case form. */
export type PointId = number | string;

const hyphenatedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const bareUuid = /^[0-9a-f]{32}$/;

/** Parses a UUID in any form that Qdrant accepts: hyphenated, bare, `urn:uuid:`, in braces. */
export function parseUuid(text: string): string | undefined {
  let lower = text.toLowerCase();
  if (lower.startsWith('urn:uuid:')) lower = lower.slice(9);
  else if (lower.startsWith('{') && lower.endsWith('}')) lower = lower.slice(1, -1);
  if (hyphenatedUuid.test(lower)) return lower;
  if (!bareUuid.test(lower)) return undefined;
  return [lower.slice(0, 8), lower.slice(8, 12), lower.slice(12, 16), lower.slice(16, 20), lower.slice(20)].join('-');
}

/**
 * Parses an id from JSON. Returns undefined for an invalid id, including integers above 2^53 − 1.
 */
export function parsePointId(value: unknown): PointId | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' ? parseUuid(value) : undefined;
}

/** Compares ids in Qdrant's order: integers first, then UUIDs. */
export function comparePointIds(left: PointId, right: PointId): number {
  if (typeof left === 'number') return typeof right === 'number' ? left - right : -1;
  if (typeof right === 'number') return 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
