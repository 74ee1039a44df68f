import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { type Entries, failedEntry, type UnreadableEntry } from '#http/entries';
import { isUnreadable } from '#readers/reader-lists';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

/** The entry of a config that selects all sites, the OneDrive of all users, or all teams. */
export const ALL = 'all';

/** A site, user, team or mailbox. */
export interface Place {
  /** The order of the places in a listing. */
  readonly key: string;
  /** True if the config does not name it: it can be missing. */
  readonly isFromAll: boolean;
}

/** Also true for a list that is too large to read. */
const isUnreadableUnit = (error: unknown): error is SourceError =>
  error instanceof SourceError && (isUnreadable(error) || error.kind === 'too_large');

/** A part of a place with its own list: a library, channel or folder. */
export interface Unit {
  readonly id: string;
}

/** A place that could not be read. */
export interface UnreadablePlace {
  readonly name: string;
  readonly error: SourceError;
}

export interface FoundPlaces<P> {
  /** Sorted by key, each once. */
  readonly places: readonly P[];
  readonly unreadable: readonly UnreadablePlace[];
  readonly unreadableEntries: readonly UnreadableEntry[];
}

export const sortedPlaces = <P extends Place>(places: readonly P[]): readonly P[] =>
  [...new Map(places.map((place) => [place.key, place])).values()].sort((a, b) => (a.key < b.key ? -1 : 1));

/** The position after a page of a unit; `link` is undefined after the last one. */
interface Position {
  readonly type: 'position';
  readonly link: string | undefined;
}

export interface PlaceLister<P extends Place, U extends Unit> {
  find(call: ConnectorCall): Promise<FoundPlaces<P>>;
  /** Returns the units of a place, sorted by id. */
  units(call: ConnectorCall, place: P): Promise<Entries<U>>;
  /** Lists a unit from a link. Yields each position with the events before it. */
  list(
    call: ConnectorCall,
    place: P,
    unit: U,
    from: string | undefined,
  ): AsyncGenerator<SourceEvent | Position, void, void>;
  /** Names in messages, for example `the list of sites and users` and `the list of libraries`. */
  readonly words: { readonly places: string; readonly units: string };
  /**
   * The listing fails if the application may not read any place or unit, and there are at least so
   * many: then it lacks a permission.
   */
  readonly minDenied?: number;
}

/** The position of a listing: places by key, and the units of each by id. */
const Checkpoint = z.object({
  place: z.string(),
  /** Undefined after all units of the place. */
  drive: z.string().optional(),
  /** The next page of the unit; undefined after its last one. */
  link: z.string().optional(),
  /** True if a place or unit could not be read. */
  incomplete: z.boolean(),
  /** True if no unit could be read. */
  nothingRead: z.boolean().default(false),
});
type Checkpoint = z.infer<typeof Checkpoint>;

const parse = (from: string | undefined): Checkpoint | undefined =>
  from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));

const failedPlace = ({ name, error }: UnreadablePlace): SourceEvent => ({
  type: 'failed',
  id: `place:${name}`,
  path: name,
  error: { code: UNREADABLE_ENTRY, message: `${error.message} This sync deletes nothing.` },
});

/**
 * Returns the units of a place, or the event for one that could not be read. A place that the config
 * does not name can be missing.
 */
async function readUnits<P extends Place, U extends Unit>(
  lister: PlaceLister<P, U>,
  call: ConnectorCall,
  place: P,
  onFailure: (error: SourceError) => void,
): Promise<{ readonly units: readonly U[]; readonly failed: readonly SourceEvent[] }> {
  try {
    const { items, unreadable } = await lister.units(call, place);
    const what = lister.words.units;
    return { units: items, failed: unreadable.map((entry) => failedEntry(entry, { id: undefined, what })) };
  } catch (error) {
    if (!isUnreadableUnit(error)) throw error;
    onFailure(error);
    const isMissing = place.isFromAll && error.kind === 'gone';
    return { units: [], failed: isMissing ? [] : [failedPlace({ name: place.key, error })] };
  }
}

/** Finds out if the application lacks a permission for everything. */
function createDenials(start: Checkpoint | undefined, min = Number.POSITIVE_INFINITY) {
  let nothingRead = start?.nothingRead ?? true;
  let denied = 0;
  let first: SourceError | undefined;
  return {
    success: () => {
      nothingRead = false;
    },
    failure: (error: SourceError) => {
      if (error.kind !== 'forbidden') return;
      denied += 1;
      first ??= error;
    },
    nothingRead: () => nothingRead,
    /** Throws at the end of a listing that was denied everything. */
    check: () => {
      if (nothingRead && denied >= min && first !== undefined) throw first;
    },
  };
}

/**
 * Lists the units of all places. Items that move between units can be missed, so the result has
 * `confirmGone`.
 */
export async function* listPlaces<P extends Place, U extends Unit>(
  lister: PlaceLister<P, U>,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const start = parse(from);
  const denials = createDenials(start, lister.minDenied);
  const found = await lister.find(call);
  let incomplete = start?.incomplete === true || found.unreadable.length + found.unreadableEntries.length > 0;
  for (const place of found.unreadable) yield failedPlace(place);
  for (const entry of found.unreadableEntries) {
    yield failedEntry(entry, { id: undefined, what: lister.words.places, hides: true });
  }
  const checkpoint = (at: Omit<Checkpoint, 'incomplete' | 'nothingRead'>): SourceEvent => ({
    type: 'checkpoint',
    at: JSON.stringify({ ...at, incomplete, nothingRead: denials.nothingRead() } satisfies Checkpoint),
  });
  for (const place of found.places) {
    const { key } = place;
    const resumed = start?.place === key ? start : undefined;
    if (start !== undefined && (key < start.place || (resumed !== undefined && resumed.drive === undefined))) continue;
    const { units, failed } = await readUnits(lister, call, place, denials.failure);
    yield* failed;
    incomplete ||= failed.length > 0;
    for (const unit of units) {
      const { id } = unit;
      const link = resumed?.drive === id ? resumed.link : undefined;
      const isDone =
        resumed?.drive !== undefined && (id < resumed.drive || (id === resumed.drive && link === undefined));
      if (isDone) continue;
      try {
        for await (const event of lister.list(call, place, unit, link)) {
          if (event.type === 'position') {
            denials.success();
            yield checkpoint({ place: key, drive: id, link: event.link });
          } else yield event;
        }
        denials.success();
      } catch (error) {
        if (!isUnreadableUnit(error)) throw error;
        denials.failure(error);
        incomplete = true;
        yield failedPlace({ name: id, error });
      }
    }
    yield checkpoint({ place: key });
  }
  denials.check();
  yield { type: 'complete', authoritative: !incomplete, confirmGone: true };
}
