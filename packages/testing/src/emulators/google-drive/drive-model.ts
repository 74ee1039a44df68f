/** A permission resource of Drive. */
export interface DrivePermission {
  readonly id: string;
  readonly type: 'user' | 'group' | 'domain' | 'anyone';
  readonly role: string;
  readonly emailAddress?: string;
  readonly domain?: string;
  readonly deleted?: boolean;
  readonly expirationTime?: string;
  readonly view?: string;
  readonly allowFileDiscovery?: boolean;
}

/** A file or folder. Google formats have `exports` by MIME type instead of `content`. */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
  readonly exports: Readonly<Record<string, string>>;
  readonly driveId: string | undefined;
  readonly owner: { readonly displayName: string; readonly emailAddress: string };
  readonly permissions: readonly DrivePermission[];
  readonly trashed: boolean;
  readonly version: number;
  readonly modifiedTime: string;
  readonly downloadable: boolean;
}

export type NewDriveFile = Pick<DriveFile, 'id' | 'name'> & {
  readonly content?: string | Uint8Array;
} & Partial<Omit<DriveFile, 'id' | 'name' | 'content' | 'version' | 'trashed'>>;

interface DriveChange {
  readonly fileId: string;
  /** The change log of the file: the id of a shared drive, or `user`. */
  readonly log: string;
  readonly isDrive?: boolean;
}

/** The data of the emulator. Each write adds to the change logs. */
export interface DriveModel {
  readonly files: ReadonlyMap<string, DriveFile>;
  readonly drives: ReadonlyMap<string, string>;
  readonly changes: readonly DriveChange[];
  put(file: NewDriveFile): void;
  rename(id: string, name: string): void;
  trash(id: string): void;
  remove(id: string): void;
  /** Moves a file to a shared drive or My Drive. Its modification time and id do not change. */
  move(id: string, driveId: string | undefined): void;
  /** Changes the readers. Only the version of the file changes. */
  share(id: string, permissions: readonly DrivePermission[]): void;
  addDrive(id: string, name: string): void;
  removeDrive(id: string): void;
}

const ADA = { displayName: 'Ada Lovelace', emailAddress: 'ada@example.com' };
const OWNER: DrivePermission = { id: 'p-ada', type: 'user', role: 'owner', emailAddress: ADA.emailAddress };

export function createDriveModel(): DriveModel {
  const files = new Map<string, DriveFile>();
  const drives = new Map<string, string>();
  const changes: DriveChange[] = [];
  let clock = Date.parse('2026-03-01T08:00:00Z');

  const mark = (fileId: string, log = 'user') => changes.push({ fileId, log });
  const edit = (id: string, change: Partial<DriveFile>) => {
    const file = files.get(id);
    if (file === undefined) throw new Error(`The drive has no ${id}.`);
    files.set(id, { ...file, ...change, version: file.version + 1 });
    mark(id, file.driveId);
    return file;
  };
  const now = () => {
    clock += 60_000;
    return new Date(clock).toISOString();
  };

  return {
    files,
    drives,
    changes,
    put: ({ content = '', ...file }) => {
      const known = files.get(file.id);
      files.set(file.id, {
        mimeType: 'text/plain',
        exports: {},
        driveId: known?.driveId,
        owner: ADA,
        permissions: [OWNER],
        modifiedTime: now(),
        downloadable: true,
        ...file,
        content: typeof content === 'string' ? Buffer.from(content) : content,
        trashed: false,
        version: (known?.version ?? 0) + 1,
      });
      mark(file.id, file.driveId ?? known?.driveId);
    },
    rename: (id, name) => void edit(id, { name }),
    trash: (id) => void edit(id, { trashed: true }),
    remove: (id) => {
      const { driveId } = edit(id, {});
      files.delete(id);
      mark(id, driveId);
    },
    move: (id, driveId) => {
      const from = edit(id, { driveId }).driveId;
      mark(id, from);
      mark(id, driveId);
    },
    share: (id, permissions) => void edit(id, { permissions }),
    addDrive: (id, name) => {
      drives.set(id, name);
      changes.push({ fileId: id, log: 'user', isDrive: true });
    },
    removeDrive: (id) => {
      drives.delete(id);
      for (const file of [...files.values()]) if (file.driveId === id) files.delete(file.id);
      changes.push({ fileId: id, log: 'user', isDrive: true });
    },
  };
}
