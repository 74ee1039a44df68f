import { notFound, requireRevision } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { lockPair, revokeKeyPair } from '#keys/pair-store';
import { MANAGE_KEYS, requirePair } from '#operations/api-keys/require-pair';
import { pairRevision } from '#operations/api-keys/view';

export const revokeApiKey = defineOperation({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/api/v1/api-keys/{id}',
  summary: 'Revoke a pair of API keys; its record stays readable',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    await requirePair(ctx.db, teamId, id);
    await ctx.db.$transaction(async (tx) => {
      await lockPair(tx, id);
      const pair = await requirePair(tx, teamId, id);
      if (pair.revokedAt !== null) throw notFound('key', id);
      requireRevision(call.ifMatch, pairRevision(pair));
      await revokeKeyPair(tx, id);
      await recordAudit(tx, actorOf(call), { action: 'revokeApiKey', resourceType: 'api_key', resourceId: id });
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return data({ id, deleted: true });
  },
});
