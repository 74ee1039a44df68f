/** Escapes a text for LIKE and for Prisma's `contains`, which match `%` and `_` as wildcards. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
