import { isUnnamedRefusal } from '#imap/imap-error';
import type { Step } from '#imap/open-session';
import type { Scope } from '#imap/scope';
import { SourceError } from '#source-error';

const MAX_FOLDERS = 2_000;
/** Much more than the names of so many folders need. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** A folder to read. */
export interface Folder {
  /** As the server names it. */
  readonly path: string;
  /** With `/` between levels. */
  readonly name: string;
  /** Folders with a lower rank come first: of two copies of a message, the first one counts. */
  readonly rank: number;
}

/** Never read, unless `config.folders` names them. https://www.rfc-editor.org/rfc/rfc6154#section-2 */
const EXCLUDED: ReadonlySet<string> = new Set(['\\Trash', '\\Junk', '\\Drafts']);

function rankOf(path: string, specialUse: string | undefined): number {
  if (path.toUpperCase() === 'INBOX') return 0;
  // These contain copies of messages of other folders.
  return specialUse === '\\All' || specialUse === '\\Flagged' ? 2 : 1;
}

/** Orders folders. The order is the same in every session. */
export function compareFolders(a: Pick<Folder, 'rank' | 'path'>, b: Pick<Folder, 'rank' | 'path'>): number {
  return a.rank - b.rank || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** Lists the folders to read, in their order. */
export async function listFolders({ filter, namedFolders }: Scope, step: Step): Promise<readonly Folder[]> {
  const entries = await step((client) => client.list(), { maxBytes: MAX_LIST_BYTES });
  if (entries.length > MAX_FOLDERS) {
    throw new SourceError('invalid', `The mailbox has more than ${MAX_FOLDERS} folders, which is the limit.`);
  }
  const nameOf = ({ path, delimiter }: (typeof entries)[number]) =>
    delimiter ? path.split(delimiter).join('/') : path;
  const excluded = new Set(entries.flatMap((entry) => (EXCLUDED.has(entry.specialUse ?? '') ? [nameOf(entry)] : [])));
  /** True for the folders below, too, but not below a folder that is named. */
  const isExcluded = (name: string): boolean => {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
      const above = name.slice(0, end);
      if (namedFolders.has(above)) return false;
      if (excluded.has(above)) return true;
    }
    return false;
  };
  const folders = entries.flatMap((entry): Folder[] => {
    const { path, flags, specialUse } = entry;
    if (path === '' || flags.has('\\Noselect') || flags.has('\\NonExistent')) return [];
    const name = nameOf(entry);
    const isNamed = namedFolders.has(name);
    if (isExcluded(name)) return [];
    return isNamed || filter(name) ? [{ path, name, rank: rankOf(path, specialUse) }] : [];
  });
  const distinct = [...new Map(folders.map((folder) => [folder.path, folder])).values()];
  return distinct.sort(compareFolders);
}

/** A folder that is open. */
export interface OpenFolder {
  readonly folder: Folder;
  readonly uidValidity: string;
  readonly uidNext: number;
  /** The number of messages. */
  readonly exists: number;
  readonly modseq: string | undefined;
}

/** A server that is available refuses to open a folder without a reason. It can be damaged. */
class FolderRefusal extends SourceError {
  constructor(folder: Folder, cause: unknown) {
    super('transient', `The server does not open the folder ${folder.name}, without naming a reason.`, { cause });
  }
}

/** Returns true if other folders can still be read. */
export const isUnreadableFolder = (error: unknown): error is SourceError =>
  error instanceof FolderRefusal ||
  (error instanceof SourceError && (error.kind === 'gone' || error.kind === 'forbidden'));

async function examine(step: Step, folder: Folder) {
  try {
    return await step((client) => client.mailboxOpen(folder.path, { readOnly: true }));
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'transient' && isUnnamedRefusal(error.cause)) {
      throw new FolderRefusal(folder, error.cause);
    }
    throw error;
  }
}

/** Opens a folder without marking its messages as read. */
export async function openFolder(step: Step, folder: Folder): Promise<OpenFolder> {
  const mailbox = await examine(step, folder);
  const { uidValidity, uidNext, exists, highestModseq, noModseq } = mailbox;
  if (typeof uidValidity !== 'bigint' || uidValidity <= 0n) {
    throw new SourceError('invalid', `The server gives the messages of the folder ${folder.name} no lasting numbers.`);
  }
  const modseq = noModseq === true || highestModseq === undefined ? undefined : String(highestModseq);
  return { folder, uidValidity: String(uidValidity), uidNext, exists, modseq };
}
