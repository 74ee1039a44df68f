import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type SourceEvent, UNREADABLE_ENTRY } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { withoutNulls } from './without-nulls.ts';

/** An entry of a list that is not of the form that is known. */
export interface UnreadableEntry {
  /** The platform's id, where that much can be read. */
  readonly id: string | undefined;
  /** A title, name or path, where there is one. */
  readonly name: string | undefined;
  /** The same for the same entry each time. */
  readonly digest: string;
  /** What is wrong with it; no value of it. */
  readonly problem: string;
}

/** The entries of a list, each read by itself. */
export interface Entries<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly UnreadableEntry[];
}

export const NO_ENTRIES = { items: [], unreadable: [] } as const;

export interface EntryForm {
  /** The field that has the platform's id; `id` unless given. */
  readonly id?: string;
  /** A list that may be left out is an empty one. */
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

/** What a schema says is wrong with a value: the place and the form, never the value. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'unknown form';
  const place = issue.path.join('.');
  return place === '' ? issue.message : `"${place}": ${issue.message}`;
}

/**
 * A list whose entries are read one by one: one that is not of the form that is known takes no other with it. Only an answer that is no list at
 * all is refused.
 */
export function entriesOf<T>(entry: z.ZodType<T>, form: EntryForm = {}): z.ZodType<Entries<T>> {
  const read = (values: readonly unknown[]): Entries<T> => {
    const items: T[] = [];
    const unreadable: UnreadableEntry[] = [];
    for (const raw of values) {
      const asGiven = entry.safeParse(raw, { reportInput: false });
      const checked = asGiven.success ? asGiven : entry.safeParse(withoutNulls(raw), { reportInput: false });
      if (checked.success) items.push(checked.data);
      else unreadable.push(unreadableEntry(raw, form.id ?? 'id', problemOf(checked.error)));
    }
    return { items, unreadable };
  };
  if (form.optional === true)
    return z
      .array(z.unknown())
      .nullish()
      .transform((values) => read(values ?? []));
  return z.array(z.unknown()).transform(read);
}

/** The same entries made into something else. One that nothing can be made of is unreadable too. */
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
      unreadable.push(unreadableEntry({ ...entry, id: idOf(entry) }, 'id', 'a value in it has an unknown form'));
    }
  }
  return { items, unreadable };
}

/** Throws where an entry could not be read, for lists that mean nothing in part. */
export function wholeList<T>({ items, unreadable }: Entries<T>, what: string): readonly T[] {
  const [first] = unreadable;
  if (first === undefined) return items;
  throw new SourceError('invalid', `An entry of ${what} has an unknown form: ${first.problem}.`);
}

export interface FailedEntry {
  /** The id of the item that the entry is; undefined where it is not known. */
  readonly id: string | undefined;
  /** What the list is of, in a message. */
  readonly what: string;
  /** Other items may be missing from the listing with this entry. */
  readonly hides?: boolean;
}

/** What a listing says of an entry that could not be read. Without an id, nobody knows which item is missing: nothing is deleted then. */
export function failedEntry(entry: UnreadableEntry, { id, what, hides = false }: FailedEntry): SourceEvent {
  const isNamed = id !== undefined && !hides;
  const advice = isNamed ? '' : ' Nothing is deleted by this sync, because other items may be missing from the list.';
  return {
    type: 'failed',
    id: id ?? `unreadable:${entry.digest}`,
    path: entry.name ?? id ?? what,
    error: {
      code: isNamed ? 'invalid' : UNREADABLE_ENTRY,
      message: `An entry of ${what} has an unknown form: ${entry.problem}.${advice} Report it if it stays.`,
    },
  };
}
