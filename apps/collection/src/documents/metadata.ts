import type { Prisma } from '#gen/prisma/client';

/** Returns the metadata of a row as a plain object. */
export function metadataOf(row: { readonly metadata: Prisma.JsonValue }): Record<string, unknown> {
  const { metadata } = row;
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? { ...metadata } : {};
}

/**
 * Converts the metadata of a request for a row. It is valid JSON, because it came through gRPC's
 * Struct.
 */
export function toJson(metadata: Readonly<Record<string, unknown>> | undefined): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(metadata ?? {}));
}
