import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { isPermanent } from '#google/directory-api';
import type { People, ReadPeople } from '#google/people';
import { formatItemId } from '#google-drive/domain/domain-item-id';
import type { FindReader } from '#google-drive/domain/drive-readers';
import type { DriveApi, FilePage } from '#google-drive/drive-api';
import type { DriveFile } from '#google-drive/drive-file';
import { isReadable } from '#google-drive/export-formats';
import { refOfFile } from '#google-drive/to-ref';
import { failedEntry, NO_ENTRIES } from '#http/entries';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** A user's own drive or a shared drive. */
interface Place {
  readonly kind: 'user' | 'drive';
  readonly id: string;
}

/** The position of a listing: the users by id, then the shared drives by id. */
const Checkpoint = z.object({
  kind: z.enum(['user', 'drive']),
  id: z.string(),
  pageToken: z.string().optional(),
  /** True if any page was marked as incomplete. */
  incomplete: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

export interface DomainContext {
  readonly admin: DriveApi;
  readonly driveAs: (subject: string) => DriveApi;
  readonly people: ReadPeople;
  readonly findReader: FindReader;
}

/** A checkpoint of the other way to authorize, which has no place, starts from the beginning. */
function parse(from: string | undefined): Checkpoint | undefined {
  if (from === undefined) return undefined;
  try {
    return Checkpoint.safeParse(JSON.parse(from)).data;
  } catch {
    return undefined;
  }
}

const compare = (a: Place, b: Place): number => {
  if (a.kind !== b.kind) return a.kind === 'user' ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
};

const nameOf = ({ kind, id }: Place, people: People): string =>
  kind === 'user' ? `the drive of ${people.byId.get(id)?.email ?? id}` : `the shared drive ${id}`;

/** Converts a file to an item with an id that includes its place. */
export const domainRef = (place: Place, file: DriveFile): SourceRef => ({
  ...refOfFile(file),
  id: formatItemId({ kind: place.kind, place: place.id, file: file.id }),
});

/** Reads the page at a checkpoint. Tokens expire after hours; then the drive starts again. */
async function readPage(context: DomainContext, call: ConnectorCall, people: People, at: Checkpoint, resumed: boolean) {
  const { kind, id, pageToken } = at;
  const subject =
    kind === 'user'
      ? people.byId.get(id)?.email
      : await context.findReader(call, id, { fresh: pageToken === undefined });
  if (subject === undefined) return { files: NO_ENTRIES };
  const api = context.driveAs(subject);
  const from = kind === 'user' ? { owned: true } : { driveId: id };
  try {
    return await api.files(call, { ...from, pageToken });
  } catch (error) {
    if (!resumed || pageToken === undefined || !(error instanceof SourceError) || error.kind !== 'invalid') throw error;
    return api.files(call, from);
  }
}

/**
 * A drive that cannot be listed. It hides nothing: before a document is deleted, its file is
 * requested, and that fails in the same way.
 */
function failedPlace(place: Place, people: People, error: SourceError): SourceEvent {
  const message = `${nameOf(place, people).replace(/^t/, 'T')} could not be listed, and its documents stay as they are: ${error.message}`;
  return {
    type: 'failed',
    id: `${place.kind}/${place.id}`,
    path: place.kind === 'user' ? (people.byId.get(place.id)?.email ?? place.id) : `Shared drive ${place.id}`,
    error: { code: error.kind, message },
  };
}

/**
 * Lists the files that each selected user owns, then each shared drive, so that each file is listed
 * once. A file that moves to another owner or drive during the listing can be missed, so the result
 * has `confirmGone`.
 */
export async function* listDomain(
  context: DomainContext,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const people = await context.people(call, { fresh: true });
  for (const entry of people.unreadable) {
    yield failedEntry(entry, { id: undefined, what: 'the users of the domain', hides: true });
  }
  for (const address of people.missing) {
    const message = `${address} in users is not an active user of the domain. Check users.`;
    yield { type: 'failed', id: `user/${address}`, path: address, error: { code: 'invalid', message } };
  }
  const drives = await context.admin.drives(call, { asAdministrator: true });
  for (const entry of drives.unreadable) {
    yield failedEntry(entry, { id: undefined, what: 'the shared drives', hides: true });
  }
  const places: readonly Place[] = [
    ...people.selected.map(({ id }): Place => ({ kind: 'user', id })),
    ...drives.items.map((id): Place => ({ kind: 'drive', id })),
  ];
  const start = parse(from);
  let index = start === undefined ? 0 : places.findIndex((place) => compare(place, start) >= 0);
  if (index === -1) index = places.length;
  let incomplete = start?.incomplete ?? false;
  let resumed = start?.pageToken !== undefined && places[index]?.id === start.id;
  let pageToken = resumed ? start?.pageToken : undefined;
  for (let place = places[index]; place !== undefined; place = places[index]) {
    let page: FilePage = { files: NO_ENTRIES };
    try {
      page = await readPage(context, call, people, { ...place, pageToken, incomplete }, resumed);
    } catch (error) {
      if (!isPermanent(error) || error.kind === 'auth') throw error;
      yield failedPlace(place, people, error);
    }
    resumed = false;
    incomplete ||= page.incompleteSearch === true;
    for (const entry of page.files.unreadable) {
      const id = entry.id && formatItemId({ kind: place.kind, place: place.id, file: entry.id });
      yield failedEntry(entry, { id, what: nameOf(place, people) });
    }
    for (const file of page.files.items) if (isListed(place, file)) yield { type: 'item', ref: domainRef(place, file) };
    pageToken = page.nextPageToken;
    if (pageToken === undefined) index += 1;
    const next = places[index];
    if (next !== undefined) {
      yield { type: 'checkpoint', at: JSON.stringify({ ...next, pageToken, incomplete } satisfies Checkpoint) };
    }
  }
  yield { type: 'complete', authoritative: !incomplete, confirmGone: true };
}

/** True for a document in its place. */
export function isListed({ kind, id }: Place, file: DriveFile): boolean {
  const isThere = kind === 'user' ? file.driveId === undefined : file.driveId === id;
  return isThere && file.trashed !== true && isReadable(file);
}
