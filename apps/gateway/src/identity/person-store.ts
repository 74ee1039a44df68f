import type { Role } from '@lectern/api-spec';
import { AppError, literalPattern, newId } from '@lectern/service-kit';
import type { Person, PersonStatus, Prisma } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** The account of a new person. */
export interface NewPerson {
  readonly id?: string;
  readonly teamId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
}

/** Creates a person. Returns undefined if the address belongs to another one. */
export async function createPerson(db: Db, person: NewPerson): Promise<Person | undefined> {
  const data = [{ id: newId('person'), ...person }];
  const [created] = await db.person.createManyAndReturn({ data, skipDuplicates: true });
  return created;
}

/** Finds the person with this address who can sign in. */
export async function findByEmail(db: Db, email: string): Promise<Person | undefined> {
  return (await db.person.findFirst({ where: { email, status: 'active' } })) ?? undefined;
}

/** Finds a person of a team. */
export async function findPerson(db: Db, teamId: string, id: string): Promise<Person | undefined> {
  return (await db.person.findFirst({ where: { id, teamId } })) ?? undefined;
}

/**
 * Returns a page of the people of a team by name, and their total number: all, or those whose name or
 * address contains `query`.
 */
export async function listPeople(
  db: Db,
  teamId: string,
  { skip, take, query }: { readonly skip: number; readonly take: number; readonly query?: string | undefined },
): Promise<{ readonly people: readonly Person[]; readonly total: number }> {
  const contains =
    query === undefined ? undefined : ({ contains: literalPattern(query), mode: 'insensitive' } as const);
  const where: Prisma.PersonWhereInput = {
    teamId,
    ...(contains === undefined ? {} : { OR: [{ name: contains }, { email: contains }] }),
  };
  const people = await db.person.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }], skip, take });
  return { people, total: await db.person.count({ where }) };
}

/**
 * Locks the accounts and keys of a team until the transaction ends, so that one owner always remains,
 * and rights do not change meanwhile.
 */
export async function lockPeople(tx: Db, teamId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
}

/**
 * Locks an account until the transaction ends. Returns false if it was deactivated or its password was
 * changed since it was read.
 */
export async function lockAccount(
  tx: Prisma.TransactionClient,
  { id, passwordHash }: Pick<Person, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const rows = await tx.$queryRaw<readonly unknown[]>`SELECT id FROM people
    WHERE id = ${id} AND status = 'active' AND password_hash = ${passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks an account until the transaction ends. Returns false if it is not active. */
export async function lockActive(tx: Db, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<readonly unknown[]>`SELECT id FROM people
    WHERE id = ${id} AND status = 'active' FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Every team that has owners keeps an active one. Throws `conflict`. */
export async function requireOwnerLeft(tx: Db, before: Person, after: Partial<Person>): Promise<void> {
  const role = after.role ?? before.role;
  const status = after.status ?? before.status;
  const staysOwner = role === 'owner' && status === 'active';
  const isOwner = before.role === 'owner' && before.status === 'active';
  if (!isOwner || staysOwner) return;
  const where = { teamId: before.teamId, role: 'owner', status: 'active', id: { not: before.id } } as const;
  if ((await tx.person.findFirst({ where, select: { id: true } })) !== null) return;
  throw new AppError('conflict', `${before.name} is the last owner of the team. Make another person an owner first.`);
}

/** The fields of a person that can be changed. */
export interface PersonChanges {
  readonly name?: string;
  readonly email?: string;
  readonly role?: Role;
  readonly status?: PersonStatus;
  readonly passwordHash?: string;
  readonly language?: string | null;
}

export const updatePerson = (db: Db, id: string, data: PersonChanges): Promise<Person> =>
  db.person.update({ where: { id }, data });
