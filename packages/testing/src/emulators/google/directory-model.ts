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

/** The users and groups of a Google Workspace domain. */
export interface DirectoryModel {
  readonly users: ReadonlyMap<string, DirectoryUser>;
  readonly groups: ReadonlyMap<string, DirectoryGroup>;
  putUser(user: Pick<DirectoryUser, 'id' | 'primaryEmail'> & Partial<DirectoryUser>): void;
  removeUser(id: string): void;
  /** Adds a group or replaces its members. */
  putGroup(email: string, members: readonly DirectoryMember[]): void;
  removeGroup(email: string): void;
  /** Returns an active user by the primary address or an alias. */
  findActive(address: string): DirectoryUser | undefined;
  /** Returns the users and groups in a group, directly or through other groups. */
  derivedMembers(email: string): readonly DirectoryMember[];
}

/** All addresses of a user, in lower case. */
export const addressesOf = (user: DirectoryUser): readonly string[] =>
  [user.primaryEmail, ...user.aliases, ...user.nonEditableAliases].map((address) => address.toLowerCase());

export function createDirectoryModel(): DirectoryModel {
  const users = new Map<string, DirectoryUser>();
  const groups = new Map<string, DirectoryGroup>();
  const byEmail = (email: string) => groups.get(`group-${email.toLowerCase()}`);

  return {
    users,
    groups,
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
