import { scimTokens } from '@lectern/api-spec';
import { notFound, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { ScimToken } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { publicUrl } from '#http/public-url';
import { lockRights } from '#identity/credential';
import { createScimToken, deleteScimToken, listScimTokens } from '#identity/scim-token-store';
import { time } from '#operations/convert';
import { route } from '#pipeline/operation';

const tokenRecord = ({ id, name, source, createdAt, lastUsedAt }: ScimToken) => {
  return { id, name, provider: source, createdAt: time(createdAt), lastUsedAt: time(lastUsedAt ?? undefined) };
};

export const scimTokenRoutes = [
  route(scimTokens.listScimTokens, async ({ db }, { query }, { caller }) => {
    const paging = readPage(query);
    const { tokens, total } = await listScimTokens(db, caller.teamId, paging);
    return page(tokens.map(tokenRecord), pageInfo(paging, total));
  }),

  route(scimTokens.createScimToken, async (ctx, { body: { name, provider } }, call) => {
    const { record, token } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const fields = { teamId: call.caller.teamId, name, source: provider, createdBy: call.key.pairId };
      const created = await createScimToken(tx, fields);
      const action = { action: 'createScimToken', resourceType: 'scim_token', resourceId: created.record.id };
      await recordAudit(tx, actorOf(call), { ...action, details: { name, provider } });
      return created;
    });
    const { url } = publicUrl(ctx.config.PUBLIC_URL, call.host, call.client.isSecure);
    return data({ ...tokenRecord(record), token, url: `${url}/scim/v2` });
  }),

  route(scimTokens.deleteScimToken, async (ctx, { params: { id } }, call) => {
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      if (!(await deleteScimToken(tx, call.caller.teamId, id))) throw notFound('scim_token', id);
      const action = { action: 'deleteScimToken', resourceType: 'scim_token', resourceId: id };
      await recordAudit(tx, actorOf(call), action);
    });
    return data({ id, deleted: true });
  }),
];
