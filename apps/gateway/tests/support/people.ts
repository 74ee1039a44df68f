import type { Role } from '@lectern/api-spec';
import { newId, parseMasterKeys, seal } from '@lectern/service-kit';
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
  appRequest: `client_id=${KNOWN.appClient}&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code&code_challenge=${'A'.repeat(43)}&code_challenge_method=S256`,
  masterKeys: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  newSlackApp: 'Sample of a request',
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

const APP_HASHES = { code: hashKey(newKey('appCode')), token: hashKey(newKey('appAccess')) };

/** Creates the sample app of the sample person, unless it exists. */
async function restoreSampleApp(db: PrismaClient): Promise<void> {
  const redirectUri = 'https://app.example.com/callback';
  const client = { id: KNOWN.appClient, name: 'Assistant', redirectUris: [redirectUri] };
  await db.appClient.createMany({ data: [client], skipDuplicates: true });
  const grant = { id: KNOWN.app, personId: KNOWN.person, clientId: KNOWN.appClient, name: 'Assistant', redirectUri };
  const times = { codeExpiresAt: inAnHour(), expiresAt: inAnHour(), activatedAt: new Date() };
  const code = { codeHash: APP_HASHES.code, codeChallenge: 'A'.repeat(43) };
  const resource = 'https://lectern.example.com/mcp';
  const row = { ...grant, ...times, ...code, scopes: ['search'], resource };
  await db.appGrant.createMany({ data: [row], skipDuplicates: true });
  const token = { tokenHash: APP_HASHES.token, grantId: KNOWN.app, kind: 'access' } as const;
  await db.appToken.createMany({
    data: [{ ...token, scopes: ['search'], expiresAt: inAnHour() }],
    skipDuplicates: true,
  });
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
  await restoreSampleApp(db);
}

/** Creates the sample identity provider, unless it exists, and deletes the one that sample requests create. */
export async function restoreSampleProviders(db: PrismaClient, teamId: string): Promise<void> {
  await db.identityProvider.deleteMany({ where: { teamId, slug: SAMPLE.newProvider } });
  const sealed = { sealed: Buffer.from('x'), wrappedKey: Buffer.from('x'), masterKeyVersion: 1 };
  const row = { id: KNOWN.identityProvider, teamId, slug: 'sample', name: 'Sample', issuer, clientId: 'lectern' };
  await db.identityProvider.createMany({ data: [{ ...row, ...sealed }], skipDuplicates: true });
}

const sampleKeys = parseMasterKeys(SAMPLE.masterKeys);

/** Creates the sample webhook with a delivery, or creates them again. Nothing listens at its address. */
export async function restoreSampleWebhook(db: PrismaClient, teamId: string): Promise<void> {
  const id = KNOWN.webhook;
  const sealed = seal(sampleKeys, 'whsec_AAAA', { row: id, team: teamId });
  const data = {
    id,
    teamId,
    url: 'https://127.0.0.1:1/',
    events: [],
    collections: [],
    createdBy: KNOWN.key,
    ...sealed,
  };
  await db.webhook.deleteMany({ where: { id } });
  await db.webhook.create({ data });
  const feedback = { messageId: KNOWN.message, conversationId: KNOWN.conversation, rating: 'up', reason: null };
  const event = { id: newId('webhookEvent'), teamId, type: 'feedback.created', resource: KNOWN.message };
  const delivery = { id: KNOWN.delivery, webhookId: id, teamId, resource: KNOWN.message };
  const ended = { nextAttemptAt: inAnHour(), expiresAt: inAnHour(), status: 'delivered', endedAt: new Date() } as const;
  const deliveries = { create: { ...delivery, ...ended } };
  // One statement, because a purge deletes events without deliveries.
  await db.webhookEvent.create({
    data: { ...event, collectionIds: [], data: feedback, occurredAt: new Date(), deliveries },
  });
}

/** Creates the sample Slack app, unless it exists, and deletes those that sample requests create. */
export async function restoreSampleSlackApps(db: PrismaClient, teamId: string): Promise<void> {
  await db.slackApp.deleteMany({ where: { teamId, name: SAMPLE.newSlackApp } });
  const id = KNOWN.slackApp;
  const own = { botToken: 'xoxb-sample', signingSecret: '0123456789abcdef0123456789abcdef' };
  const sealed = seal(sampleKeys, own, { row: id, team: teamId });
  const bot = { workspaceId: 'T0SAMPLE', workspaceName: 'Sample', botUserId: 'U0SAMPLE', botId: 'B0SAMPLE' };
  const row = { id, teamId, name: 'Sample', updatedAt: new Date() };
  await db.slackApp.createMany({
    data: [{ ...row, ...bot, ...sealed, transport: 'http', channels: ['C0SAMPLE'] }],
    skipDuplicates: true,
  });
  await db.slackApp.updateMany({
    where: { id },
    data: { status: 'active', statusReason: null, channels: ['C0SAMPLE'] },
  });
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
  await restoreSampleWebhook(db, teamId);
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
