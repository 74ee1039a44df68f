import {
  addressesOf,
  createDirectoryModel,
  type DirectoryModel,
  type DirectoryUser,
} from '#emulators/google/directory-model';
import type { DriveFile, DrivePermission } from '#emulators/google-drive/drive-model';

/** The directory of a domain, with the members of its shared drives. */
export interface DriveDirectory extends DirectoryModel {
  readonly driveMembers: ReadonlyMap<string, readonly DrivePermission[]>;
  setDriveMembers(driveId: string, members: readonly DrivePermission[]): void;
}

export function createDriveDirectory(): DriveDirectory {
  const driveMembers = new Map<string, readonly DrivePermission[]>();
  return {
    ...createDirectoryModel(),
    driveMembers,
    setDriveMembers: (driveId, members) => void driveMembers.set(driveId, members),
  };
}

/** The user for whom a request is made, and what Drive shows to them. */
export interface Viewer {
  readonly user: DirectoryUser;
  owns(file: DriveFile): boolean;
  /** The best role in a shared drive; undefined if the user is no member. */
  driveRole(driveId: string): string | undefined;
  sees(file: DriveFile): boolean;
  /** True if the user can list the permissions of a file that they can see. */
  seesPermissions(file: DriveFile): boolean;
}

const ROLES = ['organizer', 'fileOrganizer', 'owner', 'writer', 'commenter', 'reader'];
const isEditor = (role: string | undefined) => role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf('writer');

export function createViewer(user: DirectoryUser, directory: DriveDirectory): Viewer {
  const addresses = addressesOf(user);
  const isMember = (email: string) =>
    directory
      .derivedMembers(email)
      .some(
        ({ type, email: member = '', id }) =>
          (type === 'CUSTOMER' && id === user.customerId) ||
          (type !== 'GROUP' && addresses.includes(member.toLowerCase())),
      );
  const applies = ({ type, emailAddress = '', domain = '', deleted = false }: DrivePermission): boolean => {
    if (deleted) return false;
    if (type === 'user') return addresses.includes(emailAddress.toLowerCase());
    if (type === 'group') return isMember(emailAddress);
    return type === 'anyone' || addresses.some((address) => address.endsWith(`@${domain.toLowerCase()}`));
  };
  const roleIn = (permissions: readonly DrivePermission[]): string | undefined =>
    permissions
      .filter(applies)
      .map(({ role }) => role)
      .sort((a, b) => ROLES.indexOf(a) - ROLES.indexOf(b))[0];
  const owns = (file: DriveFile) =>
    file.driveId === undefined && addresses.includes(file.owner.emailAddress.toLowerCase());
  const driveRole = (driveId: string) => roleIn(directory.driveMembers.get(driveId) ?? []);
  const roleOf = (file: DriveFile) => (file.driveId === undefined ? undefined : driveRole(file.driveId));
  return {
    user,
    owns,
    driveRole,
    sees: (file) => owns(file) || roleOf(file) !== undefined || roleIn(file.permissions) !== undefined,
    seesPermissions: (file) => owns(file) || isEditor(roleOf(file)) || isEditor(roleIn(file.permissions)),
  };
}
