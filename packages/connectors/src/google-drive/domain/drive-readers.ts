import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { type DirectoryApi, isPermanent } from '#google/directory-api';
import type { ReadPeople } from '#google/people';
import type { DriveApi } from '#google-drive/drive-api';
import { type DrivePermission, isInForce } from '#google-drive/drive-permission';
import { SourceError } from '#source-error';

const CACHE_MS = 10 * 60_000;
const MAX_DRIVES = 10_000;
/** Members to try, if the service account may not act as the first ones. */
const MAX_CANDIDATES = 5;
/** Pages of a group's members to search for an active user. */
const MAX_MEMBER_PAGES = 5;

/** Readers may not see the permissions of files, so members with more rights are preferred. */
const ROLES = ['organizer', 'fileOrganizer', 'writer', 'commenter', 'reader'];
const rankOf = ({ role = '' }: DrivePermission): number => {
  const rank = ROLES.indexOf(role);
  return rank === -1 ? ROLES.length : rank;
};

/**
 * Returns the address of an active user who can read a shared drive. An administrator sees only
 * that it exists and who its members are; files need a member.
 * https://developers.google.com/workspace/drive/api/guides/manage-shareddrives#manage-administrators
 * The reader is cached; `fresh` finds out whether they are still a member.
 */
export type FindReader = (
  call: ConnectorCall,
  driveId: string,
  options?: { readonly fresh?: boolean },
) => Promise<string>;

export interface DriveReaderOptions {
  readonly admin: DriveApi;
  readonly driveAs: (subject: string) => DriveApi;
  readonly directory: DirectoryApi;
  readonly people: ReadPeople;
}

export function createDriveReaders({ admin, driveAs, directory, people }: DriveReaderOptions): FindReader {
  const cache = createCache<string, string>({ maxEntries: MAX_DRIVES, ttlMs: CACHE_MS });

  async function* usersOfGroup(call: ConnectorCall, group: string): AsyncGenerator<string, void, void> {
    let pages = 0;
    try {
      for await (const { items } of directory.members(call, group, { derived: true })) {
        for (const { type, email } of items) if (type === 'USER' && email !== undefined) yield email;
        pages += 1;
        if (pages >= MAX_MEMBER_PAGES) return;
      }
    } catch (error) {
      // A group of another organization.
      if (!isPermanent(error) || error.kind === 'auth') throw error;
    }
  }

  async function* candidates(call: ConnectorCall, driveId: string): AsyncGenerator<string, void, void> {
    const { byAddress } = await people(call);
    const permissions = (await admin.permissions(call, driveId, { asAdministrator: true }))
      .filter((permission) => isInForce(permission, Date.now()))
      .sort((a, b) => rankOf(a) - rankOf(b));
    const seen = new Set<string>();
    const unseen = (address: string): readonly string[] => {
      const email = byAddress.get(address.toLowerCase())?.email;
      if (email === undefined || seen.has(email)) return [];
      seen.add(email);
      return [email];
    };
    for (const { type, emailAddress } of permissions) {
      if (type === 'user' && emailAddress !== undefined) yield* unseen(emailAddress);
    }
    for (const { type, emailAddress } of permissions) {
      if (type !== 'group' || emailAddress === undefined) continue;
      for await (const address of usersOfGroup(call, emailAddress)) yield* unseen(address);
    }
  }

  return async (call, driveId, { fresh = false } = {}) => {
    const cached = fresh ? undefined : cache.get(driveId);
    if (cached !== undefined) return cached;
    let refusal: SourceError | undefined;
    let tried = 0;
    for await (const email of candidates(call, driveId)) {
      try {
        await driveAs(email).startPageToken(call, driveId);
        cache.set(driveId, email);
        return email;
      } catch (error) {
        if (!isPermanent(error) || error.kind === 'auth') throw error;
        refusal = error;
      }
      tried += 1;
      if (tried >= MAX_CANDIDATES) break;
    }
    throw new SourceError(
      'forbidden',
      'Lectern cannot open this shared drive: none of its members is an active user of the domain as whom the service account may act. Add a member to it.',
      { cause: refusal },
    );
  };
}
