import { identityProviders } from '@lectern/api-spec';
import { AppError, invalidRequest, notFound, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { IdentityProvider, Prisma } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { lockRights } from '#identity/credential';
import type { ClientSettings } from '#identity/oidc/clients';
import {
  createProvider,
  deleteProvider,
  findProvider,
  listProviders,
  listShownProviders,
  MAX_PROVIDERS,
  type ProviderChanges,
  updateProvider,
} from '#identity/oidc/provider-store';
import { identityProviderRecord } from '#operations/identity-providers/mapping';
import { type KeyedCall, openRoute, route } from '#pipeline/operation';

type Db = Prisma.TransactionClient;

async function requireProvider(db: Db, teamId: string, id: string): Promise<IdentityProvider> {
  const provider = await findProvider(db, teamId, id);
  if (provider === undefined) throw notFound('identity provider', id);
  return provider;
}

/** A provider with which owners sign in could sign in anybody as one. Throws `forbidden`. */
function requireMayManage({ key }: KeyedCall, ...providers: readonly Pick<ProviderChanges, 'allowsOwners'>[]): void {
  if (key.person?.role === 'owner' || !providers.some(({ allowsOwners }) => allowsOwners === true)) return;
  throw new AppError(
    'forbidden',
    'Only an owner can manage an identity provider with which owners sign in. Sign in as an owner.',
  );
}

/** Throws `conflict` for a provider that the operator defines. */
function requireOwnSettings({ name, isFromSettings }: IdentityProvider): void {
  if (!isFromSettings) return;
  throw new AppError('conflict', `The operator defines ${name} in OIDC_PROVIDERS. Change it there.`);
}

/** Reads the metadata of the provider. Throws `invalid_request` if that fails. */
async function requireUsable({ oidc }: Context, settings: ClientSettings): Promise<void> {
  try {
    await oidc.discover(settings);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidRequest([{ path: 'issuer', message: `does not work. ${error.message}` }]);
  }
}

const audited = (action: string, { id, name, slug }: IdentityProvider, fields?: readonly string[]) => ({
  action,
  resourceType: 'identity_provider',
  resourceId: id,
  details: { name, slug, ...(fields === undefined ? {} : { fields: [...fields] }) },
});

/** The names of the given fields. Their values can be secrets. */
const fieldsOf = (changes: ProviderChanges): string[] =>
  Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));

export const identityProviderRoutes = [
  route(identityProviders.listIdentityProviders, async ({ db, config }, { query }, call) => {
    const paging = readPage(query);
    const { providers, total } = await listProviders(db, call.caller.teamId, paging);
    const records = providers.map((provider) => identityProviderRecord(provider, config.PUBLIC_URL, call));
    return page(records, pageInfo(paging, total));
  }),

  route(identityProviders.createIdentityProvider, async (ctx, { body }, call) => {
    requireMayManage(call, body);
    await requireUsable(ctx, body);
    const provider = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      if ((await listProviders(tx, call.caller.teamId, { skip: 0, take: 0 })).total >= MAX_PROVIDERS) {
        throw new AppError(
          'conflict',
          `The team has ${MAX_PROVIDERS} identity providers, which is the limit. Delete one first.`,
        );
      }
      const created = await createProvider(tx, ctx.secrets, call.caller.teamId, body);
      if (created === undefined) {
        throw new AppError('conflict', `The team has an identity provider with the short name ${body.slug}.`);
      }
      await recordAudit(tx, actorOf(call), audited('createIdentityProvider', created));
      return created;
    });
    return data(identityProviderRecord(provider, ctx.config.PUBLIC_URL, call));
  }),

  route(identityProviders.getIdentityProvider, async ({ db, config }, { params: { id } }, call) =>
    data(identityProviderRecord(await requireProvider(db, call.caller.teamId, id), config.PUBLIC_URL, call)),
  ),

  route(identityProviders.updateIdentityProvider, async (ctx, { params: { id }, body }, call) => {
    const { teamId } = call.caller;
    const stored = await requireProvider(ctx.db, teamId, id);
    requireMayManage(call, stored, body);
    requireOwnSettings(stored);
    const { issuer } = stored;
    const { clientId = stored.clientId, clientSecret = 'unchanged' } = body;
    await requireUsable(ctx, { issuer, clientId, clientSecret });
    const provider = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const before = await requireProvider(tx, teamId, id);
      requireMayManage(call, before, body);
      const after = await updateProvider(tx, ctx.secrets, before, body);
      await recordAudit(tx, actorOf(call), audited('updateIdentityProvider', after, fieldsOf(body)));
      return after;
    });
    return data(identityProviderRecord(provider, ctx.config.PUBLIC_URL, call));
  }),

  route(identityProviders.deleteIdentityProvider, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    const people = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const provider = await requireProvider(tx, teamId, id);
      requireMayManage(call, provider);
      requireOwnSettings(provider);
      await recordAudit(tx, actorOf(call), audited('deleteIdentityProvider', provider));
      return deleteProvider(tx, provider);
    });
    for (const pairId of people) ctx.pairChanges.announce({ teamId, pairId });
    return data({ id, deleted: true });
  }),

  openRoute(identityProviders.listSignInProviders, async ({ db }) => {
    const providers = await listShownProviders(db);
    return { kind: 'data', data: providers.map(({ id, name }) => ({ id, name, url: `/sign-in/${id}` })) };
  }),
];
