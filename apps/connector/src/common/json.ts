import type { Prisma } from '#gen/prisma/client';

/** Reads a JSON column that holds an object. Any other value becomes an empty object. */
export function jsonObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Converts an object for a JSON column, which cannot store `undefined`. */
export function toJson(value: object): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
