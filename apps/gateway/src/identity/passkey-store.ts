import { newId } from '@lectern/service-kit';
import type { Passkey, Person, Prisma } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** A person has a few devices, not hundreds. */
export const MAX_PASSKEYS = 20;

/** A credential whose registration was verified. */
export interface NewPasskey {
  readonly name: string;
  readonly credentialId: Uint8Array<ArrayBuffer>;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Stores a passkey. Returns undefined if an account has this credential. */
export async function createPasskey(db: Db, personId: string, passkey: NewPasskey): Promise<Passkey | undefined> {
  const data = { ...passkey, transports: [...passkey.transports], id: newId('passkey'), personId };
  const [created] = await db.passkey.createManyAndReturn({ data: [data], skipDuplicates: true });
  return created;
}

/** Finds the passkey with this credential and its person. */
export async function findByCredential(
  db: Db,
  credentialId: Uint8Array<ArrayBuffer>,
): Promise<(Passkey & { readonly person: Person }) | undefined> {
  return (await db.passkey.findUnique({ where: { credentialId }, include: { person: true } })) ?? undefined;
}

/** Returns the passkeys of a person, the oldest first. */
export const listPasskeys = (db: Db, personId: string): Promise<Passkey[]> =>
  db.passkey.findMany({ where: { personId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/**
 * Stores the new counter. Returns false if the passkey was removed or its counter changed since it was
 * read: of two copies of a credential, only one can sign in.
 */
export async function notePasskeyUse(db: Db, { id, counter }: Passkey, newCounter: number): Promise<boolean> {
  const { count } = await db.passkey.updateMany({
    where: { id, counter },
    data: { counter: newCounter, lastUsedAt: new Date() },
  });
  return count > 0;
}

export async function deletePasskey(db: Db, id: string): Promise<void> {
  await db.passkey.deleteMany({ where: { id } });
}

/** Removes all passkeys of a person. Returns their number. */
export async function deletePasskeysOf(db: Db, personId: string): Promise<number> {
  const { count } = await db.passkey.deleteMany({ where: { personId } });
  return count;
}
