import type { DriveFile, DrivePermission } from '#emulators/google-drive/drive-model';

/** A user of the domain, as in the Directory API. */
export interface DirectoryUser {
  readonly id: string;
  readonly primaryEmail: string;
  readonly customerId: string;
  readonly suspended: boolean;
  readonly archived: boolean;
  readonly orgUnitPath: string;
  readonly aliases: readonly string[];
  readonly nonEditableAliases: readonly string[];
  readonly isAdmin: boolean;
}

export interface DirectoryMember {
  readonly id?: string;
  readonly email?: string;
  readonly type: 'USER' | 'GROUP' | 'CUSTOMER' | 'EXTERNAL';
  readonly status?: string;
}

export interface DirectoryGroup {
  readonly id: string;
  readonly email: string;
  readonly members: readonly DirectoryMember[];
}

const CUSTOMER_ID = 'C01example';

/** The users and groups of a Google Workspace domain, and the members of its shared drives. */
export interface DirectoryModel {
  readonly users: ReadonlyMap<string, DirectoryUser>;
  readonly groups: ReadonlyMap<string, DirectoryGroup>;
  readonly driveMembers: ReadonlyMap<string, readonly DrivePermission[]>;
  putUser(user: Pick<DirectoryUser, 'id' | 'primaryEmail'> & Partial<DirectoryUser>): void;
  removeUser(id: string): void;
  /** Adds a group or replaces its members. */
  putGroup(email: string, members: readonly DirectoryMember[]): void;
  removeGroup(email: string): void;
  setDriveMembers(driveId: string, members: readonly DrivePermission[]): void;
  /** Returns an active user by the primary address or an alias. */
  findActive(address: string): DirectoryUser | undefined;
  /** Returns the users and groups in a group, directly or through other groups. */
  derivedMembers(email: string): readonly DirectoryMember[];
}

const addressesOf = (user: DirectoryUser): readonly string[] =>
  [user.primaryEmail, ...user.aliases, ...user.nonEditableAliases].map((address) => address.toLowerCase());

export function createDirectoryModel(): DirectoryModel {
  const users = new Map<string, DirectoryUser>();
  const groups = new Map<string, DirectoryGroup>();
  const driveMembers = new Map<string, readonly DrivePermission[]>();
  const byEmail = (email: string) => groups.get(`group-${email.toLowerCase()}`);

  return {
    users,
    groups,
    driveMembers,
    putUser: (user) => {
      users.set(user.id, {
        customerId: CUSTOMER_ID,
        suspended: false,
        archived: false,
        orgUnitPath: '/',
        aliases: [],
        nonEditableAliases: [],
        isAdmin: false,
        ...users.get(user.id),
        ...user,
      });
    },
    removeUser: (id) => void users.delete(id),
    putGroup: (email, members) => {
      const id = `group-${email.toLowerCase()}`;
      groups.set(id, { id, email, members });
    },
    removeGroup: (email) => void groups.delete(`group-${email.toLowerCase()}`),
    setDriveMembers: (driveId, members) => void driveMembers.set(driveId, members),
    findActive: (address) =>
      [...users.values()].find(
        (user) => !user.suspended && !user.archived && addressesOf(user).includes(address.toLowerCase()),
      ),
    derivedMembers: (email) => {
      const found = new Map<string, DirectoryMember>();
      const visit = (groupEmail: string) => {
        for (const member of byEmail(groupEmail)?.members ?? []) {
          const key = `${member.type} ${member.email ?? member.id}`.toLowerCase();
          if (found.has(key)) continue;
          found.set(key, member);
          if (member.type === 'GROUP' && member.email !== undefined) visit(member.email);
        }
      };
      visit(email);
      return [...found.values()];
    },
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

export function createViewer(user: DirectoryUser, directory: DirectoryModel): Viewer {
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
