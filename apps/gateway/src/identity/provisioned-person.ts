import type { Person, Prisma } from '#gen/prisma/client';

/** What an identity provider says about the person who signs in. */
interface Claims {
  /** Only an address that the provider has verified. */
  readonly verifiedEmail: string | undefined;
  /** The id of the user that the provider sends through SCIM too, if a claim contains it. */
  readonly externalId: string | undefined;
}

/**
 * Finds the active person whom SCIM created for this identity provider, so that the first sign-in can
 * be linked to the account. `source` is the short name of the provider. Neither claim alone is enough
 * for people whom SCIM did not create.
 */
export async function findProvisioned(
  db: Prisma.TransactionClient,
  { teamId, source }: { readonly teamId: string; readonly source: string },
  { verifiedEmail, externalId }: Claims,
): Promise<Person | undefined> {
  const active = { teamId, status: 'active' } as const;
  const find = (where: Prisma.PersonWhereInput) => db.person.findFirst({ where: { ...active, ...where } });
  const byId = externalId === undefined ? null : await find({ scim: { some: { source, externalId } } });
  if (byId !== null) return byId;
  if (verifiedEmail === undefined) return undefined;
  return (await find({ email: verifiedEmail.toLowerCase(), scim: { some: { source } } })) ?? undefined;
}
