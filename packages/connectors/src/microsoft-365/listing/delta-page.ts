import { z } from 'zod';
import { type Entries, entriesOf } from '#http/entries';
import { SourceError } from '#source-error';

/** A page of a delta query. https://learn.microsoft.com/en-us/graph/delta-query-overview */
export interface DeltaPage<T> {
  readonly items: Entries<T>;
  /** The next page; undefined after the last one. */
  readonly next: string | undefined;
  /** The address of later changes, after the last page. */
  readonly delta: string | undefined;
}

export const deltaResponse = <T>(entry: z.ZodType<T>) =>
  z.object({
    value: entriesOf(entry),
    '@odata.nextLink': z.string().optional(),
    '@odata.deltaLink': z.string().optional(),
  });

/** `what` is the list in messages, for example `files`. */
export function deltaPage<T>(
  page: { readonly value: Entries<T>; '@odata.nextLink'?: string | undefined; '@odata.deltaLink'?: string | undefined },
  what: string,
): DeltaPage<T> {
  const { '@odata.nextLink': next, '@odata.deltaLink': delta } = page;
  if (next === undefined && delta === undefined) {
    throw new SourceError('transient', `Microsoft 365 returned a list of ${what} without its end.`);
  }
  return { items: page.value, next, delta };
}

/** Returns each item of a page once: an item can occur several times, and the last one counts. */
export const lastOfEach = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];
