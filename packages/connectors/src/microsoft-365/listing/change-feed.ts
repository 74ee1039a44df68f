import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { DeltaPage } from '#microsoft-365/listing/delta-page';
import { MAX_LIST_PAGES } from '#microsoft-365/listing/follow-pages';
import { ResyncRequired } from '#microsoft-365/read-error';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The address of later changes of each unit: a library, channel or folder. */
const Cursor = z.object({ drives: z.record(z.string(), z.string()) });
type Cursor = z.infer<typeof Cursor>;

export const fullSyncNeeded = (message: string, cause?: unknown) =>
  new SourceError('gone', `${message} A full sync is needed.`, { cause });

export interface ChangeFeed<U, T> {
  /** Returns all units by a key that changes if all their items must be listed again. */
  units(call: ConnectorCall): Promise<ReadonlyMap<string, U>>;
  /** Returns the address of later changes of a unit. */
  latest(call: ConnectorCall, unit: U): Promise<string>;
  read(call: ConnectorCall, link: string): Promise<DeltaPage<T>>;
  /** Returns the reader of the pages of a unit. */
  events(unit: U): (call: ConnectorCall, page: DeltaPage<T>) => AsyncGenerator<SourceEvent, void, void>;
  /** Names in messages, for example `library` and `libraries`. */
  readonly words: { readonly unit: string; readonly units: string };
  /** With more units, a cursor is too large, and each sync lists everything. */
  readonly maxUnits: number;
}

async function findUnits<U, T>(feed: ChangeFeed<U, T>, call: ConnectorCall): Promise<ReadonlyMap<string, U>> {
  const units = await feed.units(call);
  if (units.size > feed.maxUnits) {
    throw new SourceError('invalid', `The change feed covers at most ${feed.maxUnits} ${feed.words.units}.`);
  }
  return new Map([...units].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the current position of each unit. */
export async function readCursor<U, T>(feed: ChangeFeed<U, T>, call: ConnectorCall): Promise<string> {
  const drives: Record<string, string> = {};
  for (const [key, unit] of await findUnits(feed, call)) drives[key] = await feed.latest(call, unit);
  return JSON.stringify({ drives } satisfies Cursor);
}

/**
 * Reads the changes of each unit since a cursor. Throws `gone` if a position has expired, or if a
 * unit was added, changed or removed.
 */
export async function* readChanges<U, T>(
  feed: ChangeFeed<U, T>,
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { data: cursor } = Cursor.safeParse(JSON.parse(from));
  if (cursor === undefined) throw fullSyncNeeded('The position in the list of changes is invalid.');
  const present = await findUnits(feed, call);
  if ([...present.keys()].join(' ') !== Object.keys(cursor.drives).sort().join(' ')) {
    throw fullSyncNeeded(`A ${feed.words.unit} was added or removed.`);
  }
  const positions: Record<string, string> = { ...cursor.drives };
  for (const [key, unit] of present) {
    const events = feed.events(unit);
    let pages = 0;
    for (let link: string | undefined = positions[key]; link !== undefined; ) {
      pages += 1;
      if (pages > MAX_LIST_PAGES) throw fullSyncNeeded('Microsoft 365 returned too many pages of changes.');
      const page: DeltaPage<T> = await feed.read(call, link).catch((error: unknown) => {
        // A listing can read what is too large for a page of changes.
        if (error instanceof SourceError && error.kind === 'too_large') throw fullSyncNeeded(error.message, error);
        const isUnknown = error instanceof ResyncRequired || (error instanceof SourceError && error.kind === 'invalid');
        throw isUnknown ? fullSyncNeeded('The position in the list of changes has expired.', error) : error;
      });
      yield* events(call, page);
      if (page.next === link) throw new SourceError('transient', 'Microsoft 365 returned the same changes again.');
      positions[key] = page.next ?? page.delta ?? link;
      yield { type: 'checkpoint', at: JSON.stringify({ drives: positions } satisfies Cursor) };
      link = page.next;
    }
  }
  yield { type: 'complete', authoritative: false };
}
