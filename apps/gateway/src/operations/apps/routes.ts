import { apps } from '@lectern/api-spec';
import { AppError, notFound, pageInfo, readPage } from '@lectern/service-kit';
import { type AuthorizationRequest, readAuthorizationRequest, responseUrl } from '#apps/authorization-request';
import { isDocumentUrl } from '#apps/client-document';
import { noteClientUse } from '#apps/client-store';
import { redirectTarget } from '#apps/redirect-uri';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { AppGrant, Prisma } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import {
  createGrant,
  deleteGrant,
  findGrant,
  listGrants,
  listGrantsOf,
  type OwnedGrant,
  scopesOf,
} from '#identity/app-grant-store';
import { appUrls } from '#identity/app-urls';
import { lockRights } from '#identity/credential';
import { time } from '#operations/convert';
import { type KeyedCall, route } from '#pipeline/operation';

/**
 * The host that publishes the description of a client. Null for a registered client. Only a redirect to
 * the same host proves who it is.
 */
const publisherOf = (clientId: string) => (isDocumentUrl(clientId) ? new URL(clientId).host : null);

/** Creates the function that converts grants. The last use can be newer than the row. */
const recordOf =
  ({ appsUsed }: Context) =>
  (grant: AppGrant) => {
    const { id, name, clientId, scopes, redirectUri, createdAt, expiresAt } = grant;
    const target = redirectTarget(redirectUri);
    return {
      id,
      name,
      publisher: publisherOf(clientId),
      destination: { kind: target?.kind ?? 'web', name: target?.name ?? '' },
      scopes: scopesOf(scopes),
      createdAt: time(createdAt),
      lastUsedAt: time(appsUsed.peek(id) ?? grant.lastUsedAt ?? undefined),
      expiresAt: time(expiresAt),
    };
  };

const ownedRecordOf = (ctx: Context) => {
  const own = recordOf(ctx);
  return (grant: OwnedGrant) => {
    const { id, name, email } = grant.person;
    return { ...own(grant), person: { id, name, email } };
  };
};

/** The person who answers must be the one who saw the request: another tab can have signed in somebody else. */
function requireSamePerson({ key }: KeyedCall, personId: string): void {
  if (key.pairId === personId) return;
  throw new AppError('conflict', 'You are signed in as somebody else now. Reload the page and check the request.');
}

const requestDetails = ({ client, target }: AuthorizationRequest): Prisma.InputJsonObject => ({
  name: client.name,
  client: client.id,
  destination: target.name,
});

/** Creates the grant and returns the code. */
async function approve(
  ctx: Context,
  request: AuthorizationRequest,
  resource: string,
  call: KeyedCall,
): Promise<string> {
  const { client, redirectUri, codeChallenge, scopes } = request;
  return ctx.db.$transaction(async (tx) => {
    await lockRights(ctx, tx, call);
    await noteClientUse(tx, client.id);
    const { grant, code } = await createGrant(tx, {
      personId: call.key.pairId,
      clientId: client.id,
      name: client.name,
      scopes,
      resource,
      redirectUri,
      codeChallenge,
    });
    const details = { ...requestDetails(request), scopes: [...scopes] };
    await recordAudit(tx, actorOf(call), { action: 'connectApp', resourceType: 'app', resourceId: grant.id, details });
    return code;
  });
}

export const appRoutes = [
  route(apps.checkAppRequest, async (ctx, { body: { request: query } }, call) => {
    const request = await readAuthorizationRequest(ctx, appUrls(ctx.config.PUBLIC_URL, call), query);
    const { client, target, scopes, error } = request;
    return data({
      name: client.name,
      publisher: publisherOf(client.id),
      destination: target,
      scopes,
      problem: error?.message ?? null,
      person: { id: call.key.pairId, name: call.key.pairName, email: call.key.person?.email ?? '' },
    });
  }),

  route(apps.answerAppRequest, async (ctx, { body: { request: query, personId, approve: isApproved } }, call) => {
    requireSamePerson(call, personId);
    const urls = appUrls(ctx.config.PUBLIC_URL, call);
    const request = await readAuthorizationRequest(ctx, urls, query);
    const { error } = request;
    if (error !== undefined) {
      const params = { error: error.code, error_description: error.message };
      return data({ redirectTo: responseUrl(request, urls, params) });
    }
    if (!isApproved) {
      const params = { error: 'access_denied', error_description: 'The person did not give access.' };
      const action = { action: 'rejectApp', resourceType: 'app', resourceId: undefined };
      await recordAudit(ctx.db, actorOf(call), { ...action, details: requestDetails(request) });
      return data({ redirectTo: responseUrl(request, urls, params) });
    }
    const code = await approve(ctx, request, urls.resource, call);
    return data({ redirectTo: responseUrl(request, urls, { code }) });
  }),

  route(apps.listOwnApps, async (ctx, _input, { key }) => {
    return { kind: 'data', data: (await listGrantsOf(ctx.db, key.pairId)).map(recordOf(ctx)) };
  }),

  route(apps.disconnectOwnApp, async (ctx, { params: { id } }, call) => {
    const { teamId, pairId: personId } = call.key;
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      if (!(await deleteGrant(tx, { id, personId }))) throw notFound('app', id);
      await recordAudit(tx, actorOf(call), { action: 'disconnectOwnApp', resourceType: 'app', resourceId: id });
    });
    ctx.pairChanges.announce({ teamId, pairId: personId });
    return data({ id, deleted: true });
  }),

  route(apps.listApps, async (ctx, { query }, { caller }) => {
    const paging = readPage(query);
    const { grants, total } = await listGrants(ctx.db, caller.teamId, paging);
    return page(grants.map(ownedRecordOf(ctx)), pageInfo(paging, total));
  }),

  route(apps.disconnectApp, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    const { personId } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const grant = await findGrant(tx, teamId, id);
      if (grant === null || !(await deleteGrant(tx, { id }))) throw notFound('app', id);
      const details = { name: grant.name, person: grant.person.email };
      await recordAudit(tx, actorOf(call), { action: 'disconnectApp', resourceType: 'app', resourceId: id, details });
      return grant;
    });
    ctx.pairChanges.announce({ teamId, pairId: personId });
    return data({ id, deleted: true });
  }),
];
