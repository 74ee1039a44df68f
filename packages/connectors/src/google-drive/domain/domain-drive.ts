import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import { delegatedErrors } from '#google/delegated-errors';
import { createDelegatedTokens } from '#google/delegated-tokens';
import { createDirectoryApi, GROUP_SCOPES, isPermanent, USER_SCOPE } from '#google/directory-api';
import { aliasDomainGroup, readDomainGroups } from '#google/domain-groups';
import type { DomainAccess } from '#google/google-settings';
import { createPeople, type People, type PeopleFilter, personPrincipal } from '#google/people';
import { type DomainItem, parseItemId } from '#google-drive/domain/domain-item-id';
import { createDriveReaders } from '#google-drive/domain/drive-readers';
import { type DomainContext, domainRef, isListed, listDomain } from '#google-drive/domain/list-domain';
import { createDriveApi, type DriveApi } from '#google-drive/drive-api';
import type { DriveFile } from '#google-drive/drive-file';
import { type DrivePermission, principalOf } from '#google-drive/drive-permission';
import { readContent } from '#google-drive/read-content';
import { createDriveErrorReader } from '#google-drive/read-error';
import type { ConnectorHost } from '#host';
import { orNull } from '#http/or-null';
import { inOrder } from '#in-order';
import type { SourceContent, SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface DomainDriveSettings extends PeopleFilter, DomainAccess {}

const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const CONCURRENT_PERMISSIONS = 4;

const ADVICE = {
  authorization: 'Check the domain-wide delegation of the service account.',
  disabledApi:
    'The Google Drive API or the Admin SDK API is disabled in the Google Cloud project of the service account. Enable both there.',
};

/** Returns the principals of a permission; those of a domain include its users with an alias. */
function principalsOf(permission: DrivePermission, people: People, now: number): readonly string[] {
  const { type, emailAddress, domain } = permission;
  const principal = principalOf(permission, now);
  if (principal === undefined) return [];
  if (type === 'user' && emailAddress) return [personPrincipal(people, emailAddress)];
  if (type === 'domain' && domain) return [principal, aliasDomainGroup('google_drive', domain)];
  return [principal];
}

function isOwnedBy(file: DriveFile, person: { readonly email: string; readonly aliases: readonly string[] }): boolean {
  const owner = file.owners?.[0]?.emailAddress?.toLowerCase();
  return owner === undefined || owner === person.email || person.aliases.includes(owner);
}

/** Opens the drives of a whole domain with a service account that acts as its users. */
export function openDomainDrive(
  { account, adminEmail, ...filter }: DomainDriveSettings,
  host: Pick<ConnectorHost, 'addresses' | 'egress' | 'maxItemBytes'>,
): Connector {
  const tokens = createDelegatedTokens(
    { account, adminEmail, adminScopes: [DRIVE_SCOPE, USER_SCOPE, ...GROUP_SCOPES], userScopes: [DRIVE_SCOPE] },
    host,
  );
  const readError = createDriveErrorReader(ADVICE);
  const { errorOf, translate } = delegatedErrors('Google Drive', readError);
  const driveAs = (subject: string): DriveApi =>
    createDriveApi(host, { authorize: tokens.authorizeAs(subject), errorOf, translate });
  const authorizeAdmin = tokens.authorizeAs(adminEmail);
  const admin = createDriveApi(host, { authorize: authorizeAdmin, errorOf });
  const directory = createDirectoryApi(host, authorizeAdmin, readError);
  const people = createPeople(directory, filter);
  const findReader = createDriveReaders({ admin, driveAs, directory, people });
  const context: DomainContext = { admin, driveAs, people, findReader };

  /** Returns the API of a user who can read an item; undefined if its place does not exist. */
  const open = async (call: ConnectorCall, item: DomainItem, fresh = false): Promise<DriveApi | undefined> => {
    if (item.kind === 'user') {
      const known = await people(call);
      const person = known.byId.get(item.place);
      if (person === undefined && known.unreadable.some(({ id = item.place }) => id === item.place)) {
        throw new SourceError('invalid', 'Google returned a user of the domain in an unexpected format.');
      }
      return person?.isSelected ? driveAs(person.email) : undefined;
    }
    const reader = await orNull(findReader(call, item.place, { fresh }));
    return reader === null ? undefined : driveAs(reader);
  };

  /** Returns a file if it is still in its place. */
  const findFile = async (call: ConnectorCall, item: DomainItem): Promise<DriveFile | undefined> => {
    const read = async (fresh: boolean) => {
      const api = await open(call, item, fresh);
      return api === undefined ? null : orNull(api.file(call, item.file));
    };
    // A reader who left the shared drive finds none of its files.
    const file = (await read(false)) ?? (item.kind === 'drive' ? await read(true) : null);
    if (file === null || !isListed({ kind: item.kind, id: item.place }, file)) return undefined;
    if (item.kind === 'drive') return file;
    const owner = (await people(call)).byId.get(item.place);
    return owner !== undefined && isOwnedBy(file, owner) ? file : undefined;
  };

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const item = parseItemId(id);
    const file = item === undefined ? undefined : await findFile(call, item);
    return item === undefined || file === undefined ? null : domainRef({ kind: item.kind, id: item.place }, file);
  };

  const fetch = async (call: ConnectorCall, ref: SourceRef): Promise<SourceContent> => {
    const item = parseItemId(ref.id);
    const file = item === undefined ? undefined : await findFile(call, item);
    const api = item === undefined || file === undefined ? undefined : await open(call, item);
    if (item === undefined || api === undefined) {
      throw new SourceError('gone', `${ref.path} no longer exists, or has another owner.`);
    }
    return readContent(api, call, item.file, host.maxItemBytes);
  };

  const readPermissions = async (call: ConnectorCall, id: string): Promise<SourcePermissions> => {
    const item = parseItemId(id);
    try {
      const api = item === undefined ? undefined : await open(call, item);
      if (item === undefined || api === undefined) return { id, principals: [] };
      const known = await people(call);
      const now = Date.now();
      const permissions =
        (await orNull(api.permissions(call, item.file))) ??
        (await (await open(call, item, true))?.permissions(call, item.file)) ??
        [];
      return { id, principals: [...new Set(permissions.flatMap((entry) => principalsOf(entry, known, now)))] };
    } catch (error) {
      // Without access to the permissions, no one can read the document.
      if (!isPermanent(error) || error.kind === 'auth') throw error;
      return { id, principals: [] };
    }
  };

  return {
    test: (call) => testConnection(context, call),
    list: (call, from) => listDomain(context, call, from),
    resolve,
    fetch,
    permissions: (call, refs) => inOrder(refs, CONCURRENT_PERMISSIONS, ({ id }) => readPermissions(call, id)),
    groups: (call) => readDomainGroups('google_drive', directory, people, call),
  };
}

function testConnection({ admin, driveAs, people }: DomainContext, call: ConnectorCall) {
  let found: People | undefined;
  return runChecks([
    [
      'directory',
      async () => {
        found = await people(call, { fresh: true });
        const { selected, missing } = found;
        if (missing.length > 0) {
          const names = missing.slice(0, 10).join(', ');
          throw new SourceError('invalid', `These users are not active users of the domain: ${names}. Check users.`);
        }
        if (selected.length > 0) return `${selected.length} users can be read.`;
        throw new SourceError('invalid', 'No active user of the domain matches. Check users and orgUnits.');
      },
    ],
    [
      'shared drives',
      async () => {
        const { items } = await admin.drives(call, { asAdministrator: true });
        return `${items.length} shared drives are visible to the administrator.`;
      },
    ],
    [
      'files',
      async () => {
        const first = found?.selected[0];
        if (first !== undefined) await driveAs(first.email).files(call, { owned: true });
        return 'The files of a user can be listed.';
      },
    ],
  ]);
}
