import { identityProviders } from '@lectern/api-spec';
import type { Logger, Secrets } from '@lectern/service-kit';
import { z } from 'zod';
import type { PrismaClient } from '#gen/prisma/client';
import { createProvider, deleteProvider, updateProvider } from '#identity/oidc/provider-store';

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

/** Stores a provider of a team. Returns false if another replica is storing it. */
async function store(
  db: PrismaClient,
  secrets: Secrets,
  teamId: string,
  settings: Omit<DefinedProvider, 'team'>,
): Promise<boolean> {
  const { slug, issuer, ...changes } = settings;
  const existing = await db.identityProvider.findUnique({ where: { teamId_slug: { teamId, slug } } });
  if (existing?.issuer === issuer) {
    await updateProvider(db, secrets, existing, changes);
    await db.identityProvider.update({ where: { id: existing.id }, data: { isFromSettings: true } });
    return true;
  }
  return db.$transaction(async (tx) => {
    // Accounts belong to the issuer that authenticated them.
    if (existing !== null) await deleteProvider(tx, existing);
    return (await createProvider(tx, secrets, teamId, settings, true)) !== undefined;
  });
}

/** Deletes the stored providers that the operator no longer defines. */
async function deleteOthers(db: PrismaClient, defined: readonly DefinedProvider[]): Promise<void> {
  const stored = await db.identityProvider.findMany({ where: { isFromSettings: true }, include: { team: true } });
  for (const provider of stored) {
    const isDefined = defined.some(({ team, slug }) => team === provider.team.name && slug === provider.slug);
    if (!isDefined) await db.$transaction((tx) => deleteProvider(tx, provider));
  }
}

/**
 * Returns a function that stores the providers that the operator defines, and deletes those that are no
 * longer in the list. Without a list it does nothing. Call it again until the teams exist: it stores each
 * provider once.
 */
export function definedProviderStore(
  db: PrismaClient,
  secrets: Secrets,
  defined: readonly DefinedProvider[] | undefined,
  log: Logger,
): () => Promise<void> {
  const waiting = new Set(defined);
  const missingTeams = new Set<string>();
  let hasDeleted = defined === undefined;
  return async () => {
    if (!hasDeleted) await deleteOthers(db, defined ?? []);
    hasDeleted = true;
    for (const provider of waiting) {
      const { team: name, ...settings } = provider;
      const team = await db.team.findUnique({ where: { name } });
      if (team !== null) {
        if (await store(db, secrets, team.id, settings)) waiting.delete(provider);
      } else if (!missingTeams.has(name)) {
        missingTeams.add(name);
        log.info({ slug: settings.slug }, 'the team of an identity provider in OIDC_PROVIDERS does not exist yet');
      }
    }
  };
}
