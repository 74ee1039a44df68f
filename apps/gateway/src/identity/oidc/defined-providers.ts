import { identityProviders } from '@lectern/api-spec';
import type { Logger } from '@lectern/service-kit';
import { z } from 'zod';
import type { PrismaClient } from '#gen/prisma/client';
import { createProvider, deleteProvider, updateProvider } from '#identity/oidc/provider-store';
import type { Secrets } from '#identity/secrets';

const MAX_PROVIDERS = 100;

const definition = identityProviders.newIdentityProvider.extend({ team: z.string().min(1).max(200) });

/** A provider that the operator defines for a team. */
export type DefinedProvider = z.output<typeof definition>;

/** Parses OIDC_PROVIDERS. Throws an `Error` whose message contains no values. */
export function parseDefinedProviders(text: string): readonly DefinedProvider[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser contains a part of the text, which has secrets.
    throw new Error('must be a JSON list of identity providers');
  }
  const result = z.array(definition).max(MAX_PROVIDERS).safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new Error(`is not valid: ${issues.join('; ')}`);
}

/**
 * Stores the providers that the operator defines, and deletes those that are no longer defined. Returns
 * true if all are stored: the team of one may not exist yet.
 */
export async function storeDefinedProviders(
  db: PrismaClient,
  secrets: Secrets,
  defined: readonly DefinedProvider[],
  log: Logger,
): Promise<boolean> {
  const kept: string[] = [];
  let isComplete = true;
  for (const { team: name, ...settings } of defined) {
    const team = await db.team.findUnique({ where: { name } });
    if (team === null) {
      log.info({ slug: settings.slug }, 'the team of an identity provider in OIDC_PROVIDERS does not exist yet');
      isComplete = false;
      continue;
    }
    const { slug, issuer } = settings;
    const existing = await db.identityProvider.findUnique({ where: { teamId_slug: { teamId: team.id, slug } } });
    // Accounts belong to the issuer that authenticated them.
    const isOther = existing !== null && existing.issuer !== issuer;
    if (isOther) await db.$transaction((tx) => deleteProvider(tx, existing));
    const { slug: _slug, issuer: _issuer, ...changes } = settings;
    const stored =
      existing === null || isOther
        ? await createProvider(db, secrets, team.id, settings, true)
        : await updateProvider(db, secrets, existing, changes);
    if (stored === undefined) continue;
    await db.identityProvider.update({ where: { id: stored.id }, data: { isFromSettings: true } });
    kept.push(stored.id);
  }
  if (isComplete) {
    const removed = await db.identityProvider.findMany({ where: { isFromSettings: true, id: { notIn: kept } } });
    for (const provider of removed) await db.$transaction((tx) => deleteProvider(tx, provider));
  }
  return isComplete;
}
