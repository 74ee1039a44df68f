import { z } from 'zod';

/** A list of texts, or one as a string. Blank texts and repetitions are left out. */
export const textList = (what: string) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())], `must be a list of ${what}`)
    .transform((list) => [...new Set(list.map((text) => text.trim()).filter((text) => text !== ''))]);

/** Prefixes and globs of paths. */
export const pathPatterns = textList('paths').pipe(z.array(z.string().max(500)).max(200));

/** Leaves out repetitions of names that are case-insensitive. The last spelling stays. */
export const distinctNames = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.toLowerCase(), name])).values(),
];
