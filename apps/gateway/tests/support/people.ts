import type { Role } from '@lectern/api-spec';
import { newId } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { hashPassword } from '#identity/passwords';
import { createSession } from '#identity/session-store';
import { hashKey, newKey } from '#keys/format';
import { issuer } from './issuer.ts';
import { KNOWN } from './records.ts';

/** The person and the link that sample requests use. */
export const SAMPLE = {
  email: 'grace@example.com',
  password: 'correct horse battery staple',
  linkToken: newKey('link'),
  newGroup: 'Support team',
  newProvider: 'sample-new',
};

const SCIM_HASH = hashKey(newKey('scim'));
const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR_MS);

/** Creates the sample invitation, unless it exists. */
export async function createSampleInvitation(db: PrismaClient, teamId: string): Promise<void> {
  const data = { teamId, purpose: 'invitation', email: 'invited@example.com', role: 'member' } as const;
  const tokenHash = hashKey(newKey('link'));
  const row = { id: KNOWN.invitation, ...data, tokenHash, expiresAt: inAnHour() };
  await db.accountLink.createMany({ data: [row], skipDuplicates: true });
}

/**
 * Creates the sample group of admins and SCIM token, unless they exist, and deletes the group that
 * sample requests create.
 */
export async function restoreSampleGroups(db: PrismaClient, teamId: string): Promise<void> {
  await db.group.deleteMany({ where: { teamId, name: SAMPLE.newGroup } });
  const row = { id: KNOWN.group, teamId, source: 'lectern', origin: 'admin', name: 'Everybody' } as const;
  await db.group.createMany({ data: [row], skipDuplicates: true });
  const token = { id: KNOWN.scimToken, teamId, name: 'Entra', source: 'entra', createdBy: KNOWN.person };
  await db.scimToken.createMany({ data: [{ ...token, tokenHash: SCIM_HASH }], skipDuplicates: true });
}

/** Creates the sample identity provider, unless it exists, and deletes the one that sample requests create. */
export async function restoreSampleProviders(db: PrismaClient, teamId: string): Promise<void> {
  await db.identityProvider.deleteMany({ where: { teamId, slug: SAMPLE.newProvider } });
  const sealed = { sealed: Buffer.from('x'), wrappedKey: Buffer.from('x'), masterKeyVersion: 1 };
  const row = { id: KNOWN.identityProvider, teamId, slug: 'sample', name: 'Sample', issuer, clientId: 'lectern' };
  await db.identityProvider.createMany({ data: [{ ...row, ...sealed }], skipDuplicates: true });
}

/** Makes the sample link work again. */
export async function renewSampleLink(db: PrismaClient): Promise<void> {
  await db.accountLink.updateMany({ where: { tokenHash: hashKey(SAMPLE.linkToken) }, data: { usedAt: null } });
}

/** Creates the sample person, invitation, group and link of a team. */
export async function createSamplePeople(db: PrismaClient, teamId: string): Promise<void> {
  const { email, password, linkToken } = SAMPLE;
  const passwordHash = await hashPassword(password);
  await db.person.create({ data: { id: KNOWN.person, teamId, email, name: 'Grace', role: 'editor', passwordHash } });
  // A separate person, because a change of the password ends the resets of a person.
  const personId = newId('person');
  const forgetful = { id: personId, teamId, email: 'heidi@example.com', name: 'Heidi', passwordHash };
  await db.person.create({ data: { ...forgetful, role: 'member' } });
  const link = { id: newId('invitation'), teamId, purpose: 'reset', personId } as const;
  await db.accountLink.create({ data: { ...link, tokenHash: hashKey(linkToken), expiresAt: inAnHour() } });
  await createSampleInvitation(db, teamId);
  await restoreSampleGroups(db, teamId);
  await restoreSampleProviders(db, teamId);
}

/** A signed-in person. */
export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** The headers of a request with the session. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a person without a usable password and a session. */
export async function signInAs(db: PrismaClient, teamId: string, role: Role): Promise<TestPerson> {
  const id = newId('person');
  const email = `${id}@example.com`;
  await db.person.create({ data: { id, teamId, email, name: `A ${role}`, role, passwordHash: 'none' } });
  const times = { idleMinutes: 60, maxMinutes: 60 };
  const token = await createSession(db, id, times, { address: '192.0.2.1', userAgent: undefined });
  const headers = { Cookie: `lectern_session=${token}`, 'X-Lectern-CSRF': '1' };
  return { id, email, token, headers };
}
