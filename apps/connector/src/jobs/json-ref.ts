import type { Prisma } from '#gen/prisma/client';

/** A plain object as a JSON column takes it, which has no place for what is undefined. */
export function toJson(value: object): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
