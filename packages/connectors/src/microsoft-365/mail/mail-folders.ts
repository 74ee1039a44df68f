import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import { createFolderFilter } from '#microsoft-365/mail/folder-filter';
import type { Folder, MailApi } from '#microsoft-365/mail/mail-api';
import type { Mailbox } from '#microsoft-365/mail/mailboxes';
import { SourceError } from '#source-error';

export interface MailFolder {
  readonly id: string;
  /** The names of the folders above it and its own, without slashes in them. */
  readonly path: string;
  readonly totalItemCount: number;
}

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 1_000;
const MAX_UNKNOWN = 10_000;
const MAX_FOLDERS = 5_000;

/**
 * Folders that each mailbox has, with their English names. A mailbox shows them in its language.
 * https://learn.microsoft.com/en-us/graph/api/resources/mailfolder
 */
const WELL_KNOWN = [
  { id: 'inbox', name: 'Inbox', isLeftOut: false },
  { id: 'sentitems', name: 'Sent Items', isLeftOut: false },
  { id: 'archive', name: 'Archive', isLeftOut: false },
  { id: 'deleteditems', name: 'Deleted Items', isLeftOut: true },
  { id: 'junkemail', name: 'Junk Email', isLeftOut: true },
  { id: 'drafts', name: 'Drafts', isLeftOut: true },
  { id: 'outbox', name: 'Outbox', isLeftOut: true },
] as const;
type WellKnown = (typeof WELL_KNOWN)[number];

const isSearchFolder = (folder: Folder): boolean =>
  folder['@odata.type']?.toLowerCase() === '#microsoft.graph.mailsearchfolder';

const nameOf = ({ displayName }: Folder): string => displayName.replaceAll('/', '_');

export interface MailFolders {
  /** Requests the folders to read, sorted by id. */
  load(call: ConnectorCall, mailbox: Mailbox): Promise<readonly MailFolder[]>;
  /** Returns the folder if it is read. Requests the folders if this one is unknown. */
  folder(call: ConnectorCall, mailbox: Mailbox, id: string): Promise<MailFolder | undefined>;
}

/** The folders of a mailbox. */
interface Loaded {
  readonly wanted: readonly MailFolder[];
  /** The ids of the other folders that were seen. */
  readonly unwanted: ReadonlySet<string>;
}

export function createMailFolders(api: MailApi, patterns: readonly string[]): MailFolders {
  const cache = createCache<string, Loaded>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS });
  /** Folders that a request did not return, for example those in Deleted Items. */
  const unknown = createCache<string, true>({ maxEntries: MAX_UNKNOWN, ttlMs: CACHE_MS });
  const filter = createFolderFilter(patterns);

  /** Returns the well-known folders by id. */
  const wellKnownOf = async (call: ConnectorCall, { id }: Mailbox): Promise<ReadonlyMap<string, WellKnown>> => {
    const found = new Map<string, WellKnown>();
    const results = await api.wellKnownFolders(
      call,
      id,
      WELL_KNOWN.map((each) => each.id),
    );
    for (const [at, result] of results.entries()) {
      const known = WELL_KNOWN[at];
      if (known !== undefined && !('error' in result)) found.set(result.value.id, known);
      // Without the id of a folder with deleted messages, that folder would be read.
      else if ('error' in result && result.error.kind !== 'gone') throw result.error;
    }
    return found;
  };

  const load: MailFolders['load'] = async (call, mailbox) => {
    const wanted: MailFolder[] = [];
    // Requested first, because it fails if the mailbox does not exist.
    const roots = await readFolders(api, call, mailbox, undefined);
    const wellKnown = await wellKnownOf(call, mailbox);
    const open = roots.map((folder) => ({
      ...{ folder, path: nameOf(folder), english: wellKnown.get(folder.id)?.name ?? nameOf(folder) },
    }));
    const seen = new Set<string>();
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const { folder, path, english } = next;
      const { id, totalItemCount } = folder;
      if (seen.has(id)) continue;
      seen.add(id);
      if (seen.size > MAX_FOLDERS) {
        throw new SourceError('invalid', `The mailbox ${mailbox.address} has more than ${MAX_FOLDERS} folders.`);
      }
      const paths = [path, english];
      const isLeftOut = wellKnown.get(id)?.isLeftOut === true && !filter.names(paths);
      if (isLeftOut || isSearchFolder(folder)) continue;
      if (filter.isWanted(paths)) wanted.push({ id, path, totalItemCount });
      if (folder.childFolderCount === 0) continue;
      for (const child of await readFolders(api, call, mailbox, id)) {
        const name = nameOf(child);
        open.push({ folder: child, path: `${path}/${name}`, english: `${english}/${name}` });
      }
    }
    const sorted = wanted.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id } of sorted) seen.delete(id);
    cache.set(mailbox.id, { wanted: sorted, unwanted: seen });
    return sorted;
  };

  return {
    load,
    folder: async (call, mailbox, id) => {
      const key = `${mailbox.id}/${id}`;
      const isSame = (folder: MailFolder) => folder.id === id;
      const loaded = cache.get(mailbox.id);
      const known = loaded?.wanted.find(isSame);
      if (known !== undefined) return known;
      if (loaded !== undefined && (loaded.unwanted.has(id) || unknown.get(key) === true)) return undefined;
      const found = (await load(call, mailbox)).find(isSame);
      if (found === undefined) unknown.set(key, true);
      return found;
    },
  };
}

/** Throws if a folder is unreadable, because the messages in it would be missing. */
async function readFolders(
  api: MailApi,
  call: ConnectorCall,
  mailbox: Mailbox,
  parent: string | undefined,
): Promise<readonly Folder[]> {
  const folders: Folder[] = [];
  for await (const page of api.folders(call, mailbox.id, parent)) {
    folders.push(...wholeList(page, `the folders of the mailbox ${mailbox.address}`));
  }
  return folders;
}
