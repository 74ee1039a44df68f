import type { Prisma } from '#gen/prisma/client';

/** Metadata of a row as a plain object. */
export function metadataOf(row: { readonly metadata: Prisma.JsonValue }): Record<string, unknown> {
  const { metadata } = row;
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? { ...metadata } : {};
}

/** Metadata of a request as a row keeps it. It came through gRPC's Struct, so it is JSON already. */
export function toJson(metadata: Readonly<Record<string, unknown>> | undefined): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(metadata ?? {}));
}
