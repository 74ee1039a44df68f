import { createHash } from 'node:crypto';
import { z } from 'zod';
import { withoutNulls } from '#http/without-nulls';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

/** An entry of a list that does not have the expected format. */
export interface UnreadableEntry {
  /** The platform's id, if it can be read. */
  readonly id: string | undefined;
  /** A title, name or path, if there is one. */
  readonly name: string | undefined;
  /** Stable: the same entry always gets the same key. */
  readonly digest: string;
  /** What is wrong with it; never includes values of the entry. */
  readonly problem: string;
}

/** The entries of a list, each parsed separately. */
export interface Entries<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly UnreadableEntry[];
}

export const NO_ENTRIES = { items: [], unreadable: [] } as const;

export interface EntryOptions {
  /** The field with the platform's id; default `id`. */
  readonly id?: string;
  /** True if a missing list counts as empty. */
  readonly optional?: boolean;
}

const NAMES = ['title', 'name', 'path', 'Name'] as const;

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

function unreadableEntry(raw: unknown, idField: string, problem: string): UnreadableEntry {
  const fields = z.record(z.string(), z.unknown()).safeParse(raw).data ?? {};
  const name = NAMES.map((field) => textOf(fields[field])).find((text) => text !== undefined);
  const digest = createHash('sha256')
    .update(JSON.stringify(raw) ?? '')
    .digest('hex')
    .slice(0, 16);
  return { id: textOf(fields[idField]), name, digest, problem };
}

/** Describes a schema error by path and expected format, never by value. */
function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'unexpected format';
  const place = issue.path.join('.');
  return place === '' ? issue.message : `"${place}": ${issue.message}`;
}

/**
 * Parses a list entry by entry: an entry with an unexpected format does not affect the others.
 * Throws only if the response is not a list.
 */
export function entriesOf<T>(entry: z.ZodType<T>, options: EntryOptions = {}): z.ZodType<Entries<T>> {
  const read = (values: readonly unknown[]): Entries<T> => {
    const items: T[] = [];
    const unreadable: UnreadableEntry[] = [];
    for (const raw of values) {
      const asGiven = entry.safeParse(raw, { reportInput: false });
      const checked = asGiven.success ? asGiven : entry.safeParse(withoutNulls(raw), { reportInput: false });
      if (checked.success) items.push(checked.data);
      else unreadable.push(unreadableEntry(raw, options.id ?? 'id', problemOf(checked.error)));
    }
    return { items, unreadable };
  };
  if (options.optional === true)
    return z
      .array(z.unknown())
      .nullish()
      .transform((values) => read(values ?? []));
  return z.array(z.unknown()).transform(read);
}

/** Maps the entries. An entry for which the mapping fails becomes unreadable too. */
export function mapEntries<T, U>(
  entries: Entries<T>,
  idOf: (entry: T) => string,
  make: (entry: T) => readonly U[],
): Entries<U> {
  const items: U[] = [];
  const unreadable = [...entries.unreadable];
  for (const entry of entries.items) {
    try {
      items.push(...make(entry));
    } catch (error) {
      if (error instanceof SourceError) throw error;
      unreadable.push(
        unreadableEntry({ ...entry, id: idOf(entry) }, 'id', 'one of its values has an unexpected format'),
      );
    }
  }
  return { items, unreadable };
}

/** Throws if an entry could not be read; for lists that are useless unless complete. */
export function wholeList<T>({ items, unreadable }: Entries<T>, what: string): readonly T[] {
  const [first] = unreadable;
  if (first === undefined) return items;
  throw new SourceError('invalid', `An entry of ${what} has an unexpected format: ${first.problem}.`);
}

export interface FailedEntry {
  /** The id of the item for this entry; undefined if unknown. */
  readonly id: string | undefined;
  /** The name of the list, for messages. */
  readonly what: string;
  /** True if this entry can hide other items from the listing. */
  readonly hides?: boolean;
}

/**
 * Creates the event for an entry that could not be read. Without an id, it is unknown which item is
 * missing, so nothing is deleted.
 */
export function failedEntry(
  entry: UnreadableEntry,
  { id, what, hides = false }: FailedEntry,
): Extract<SourceEvent, { type: 'failed' }> {
  const isNamed = id !== undefined && !hides;
  const advice = isNamed ? '' : ' This sync deletes nothing, because other items may be missing from the list.';
  return {
    type: 'failed',
    id: id ?? `unreadable:${entry.digest}`,
    path: entry.name ?? id ?? what,
    error: {
      code: isNamed ? 'invalid' : UNREADABLE_ENTRY,
      message: `An entry of ${what} has an unexpected format: ${entry.problem}.${advice} If this happens again, report it to the Lectern maintainers.`,
    },
  };
}
