import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { DriveFile, FILE_FIELDS } from '#google-drive/drive-file';
import { DrivePermission, PERMISSION_FIELDS } from '#google-drive/drive-permission';
import { createDriveErrorReader } from '#google-drive/read-error';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { type Entries, entriesOf, type UnreadableEntry } from '#http/entries';
import type { SourceHttpOptions } from '#http/source-http';
import { authorizeByToken } from '#oauth/token-authorization';

const FilePage = z.object({
  files: entriesOf(DriveFile, { optional: true }),
  nextPageToken: z.string().optional(),
  incompleteSearch: z.boolean().optional(),
});
const DrivePage = z.object({
  drives: entriesOf(z.object({ id: z.string() }), { optional: true }),
  nextPageToken: z.string().optional(),
});
const PermissionPage = z.object({
  permissions: entriesOf(DrivePermission, { optional: true }),
  nextPageToken: z.string().optional(),
});
const Change = z.object({
  changeType: z.string().optional(),
  removed: z.boolean().optional(),
  fileId: z.string().optional(),
  file: DriveFile.optional(),
});
const ChangePage = z.object({
  changes: entriesOf(Change, { id: 'fileId', optional: true }),
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
});

export type FilePage = z.infer<typeof FilePage>;
export type Change = z.infer<typeof Change>;
type ChangePage = z.infer<typeof ChangePage>;

interface FilesFrom {
  readonly driveId?: string | undefined;
  readonly pageToken?: string | undefined;
  /** True for only the files that the user owns, without a `driveId`. */
  readonly owned?: boolean;
}

interface AdministratorOption {
  /** `useDomainAdminAccess`: the user is an administrator of the domain. */
  readonly asAdministrator?: boolean;
}

export interface DriveApiOptions {
  readonly authorize: NonNullable<SourceHttpOptions['authorize']>;
  readonly errorOf: NonNullable<SourceHttpOptions['errorOf']>;
  /** Changes the error that a request ends with. */
  readonly translate?: (error: unknown) => unknown;
}

/**
 * Requests to Drive (v3). Without a `driveId`, they cover My Drive and files shared with the user.
 */
export interface DriveApi {
  files(call: ConnectorCall, from: FilesFrom): Promise<FilePage>;
  /** Returns the sorted ids of all shared drives of the user; as an administrator, of the domain. */
  drives(call: ConnectorCall, options?: AdministratorOption): Promise<Entries<string>>;
  file(call: ConnectorCall, id: string): Promise<DriveFile>;
  /** The permissions of a file or a shared drive. An administrator sees those of any shared drive. */
  permissions(call: ConnectorCall, id: string, options?: AdministratorOption): Promise<readonly DrivePermission[]>;
  startPageToken(call: ConnectorCall, driveId?: string): Promise<string>;
  changes(call: ConnectorCall, from: { driveId?: string | undefined; pageToken: string }): Promise<ChangePage>;
  content(call: ConnectorCall, file: { id: string; path: string }): Promise<AsyncIterable<Uint8Array>>;
  exported(
    call: ConnectorCall,
    file: { id: string; path: string },
    mimeType: string,
  ): Promise<AsyncIterable<Uint8Array>>;
}

const flag = (value: boolean | undefined): string | undefined => (value === true ? 'true' : undefined);

const ALL_DRIVES = { supportsAllDrives: 'true', includeItemsFromAllDrives: 'true' };

/** Requests with the tokens of the user who authorized the connector. */
export const createUserDriveApi = (host: Pick<ConnectorHost, 'addresses' | 'egress' | 'tokens'>): DriveApi =>
  createDriveApi(host, { authorize: authorizeByToken(host.tokens), errorOf: createDriveErrorReader() });

export function createDriveApi(
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
  { authorize, errorOf, translate = (error) => error }: DriveApiOptions,
): DriveApi {
  const base = `${host.addresses.google.replace(/\/+$/, '')}/drive/v3`;
  const http = createSourceHttp({
    platform: 'Google Drive',
    fetch: host.egress.trusting([new URL(base).origin]).fetch,
    authorize,
    errorOf,
  });

  const at = (path: string, query: Readonly<Record<string, string | undefined>>): URL => {
    const url = new URL(`${base}/${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  };
  const ended = async <T>(request: Promise<{ readonly value: T }>): Promise<T> => {
    try {
      return (await request).value;
    } catch (error) {
      throw translate(error);
    }
  };
  const get = <T>(call: ConnectorCall, url: URL, schema: z.ZodType<T>, what: string): Promise<T> =>
    ended(http.json({ ...call }, { url, what }, schema));
  const download = (call: ConnectorCall, url: URL, what: string) =>
    ended(http.download({ ...call }, { url, what, headers: { accept: '*/*' } }));
  const pathOf = (id: string) => `files/${encodeURIComponent(id)}`;

  return {
    files: (call, { driveId, pageToken, owned = false }) => {
      const corpus = driveId === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId };
      const fields = `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`;
      const q = owned ? "'me' in owners and trashed=false" : 'trashed=false';
      const query = { q, pageSize: '1000', pageToken, fields, ...corpus, ...ALL_DRIVES };
      return get(call, at('files', query), FilePage, 'the list of files');
    },
    drives: async (call, { asAdministrator } = {}) => {
      const ids = new Set<string>();
      const unreadable: UnreadableEntry[] = [];
      let pageToken: string | undefined;
      do {
        const query = {
          pageSize: '100',
          pageToken,
          fields: 'nextPageToken,drives(id)',
          useDomainAdminAccess: flag(asAdministrator),
        };
        const page = await get(call, at('drives', query), DrivePage, 'the list of shared drives');
        for (const { id } of page.drives.items) ids.add(id);
        unreadable.push(...page.drives.unreadable);
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      return { items: [...ids].sort(), unreadable };
    },
    file: (call, id) =>
      get(call, at(pathOf(id), { supportsAllDrives: 'true', fields: FILE_FIELDS }), DriveFile, `the file ${id}`),
    permissions: async (call, id, { asAdministrator } = {}) => {
      const all: DrivePermission[] = [];
      let pageToken: string | undefined;
      do {
        const fields = `nextPageToken,permissions(${PERMISSION_FIELDS})`;
        const query = {
          supportsAllDrives: 'true',
          pageSize: '100',
          pageToken,
          fields,
          useDomainAdminAccess: flag(asAdministrator),
        };
        const page = await get(
          call,
          at(`${pathOf(id)}/permissions`, query),
          PermissionPage,
          `the permissions of ${id}`,
        );
        // An unreadable permission grants nothing.
        all.push(...page.permissions.items);
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      return all;
    },
    startPageToken: async (call, driveId) => {
      const url = at('changes/startPageToken', { supportsAllDrives: 'true', driveId });
      return (await get(call, url, z.object({ startPageToken: z.string() }), 'the change log')).startPageToken;
    },
    changes: (call, { driveId, pageToken }) => {
      const change = `changeType,removed,fileId,file(${FILE_FIELDS})`;
      const fields = `nextPageToken,newStartPageToken,changes(${change})`;
      const query = { pageToken, pageSize: '1000', includeRemoved: 'true', driveId, fields, ...ALL_DRIVES };
      return get(call, at('changes', query), ChangePage, 'the change log');
    },
    content: (call, { id, path }) => download(call, at(pathOf(id), { alt: 'media', supportsAllDrives: 'true' }), path),
    exported: (call, { id, path }, mimeType) => download(call, at(`${pathOf(id)}/export`, { mimeType }), path),
  };
}
