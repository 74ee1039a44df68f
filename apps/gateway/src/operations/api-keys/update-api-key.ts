import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { actorOf, recordAudit } from '#audit/record-audit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { updatePair } from '#keys/pair-store';
import { pairFields, settingsOf } from '#operations/api-keys/fields';
import { requireCollections } from '#operations/api-keys/require-collections';
import { MANAGE_KEYS, requireActivePair } from '#operations/api-keys/require-pair';
import { pairRecord, pairSchema } from '#operations/api-keys/view';

const body = z
  .strictObject(pairFields)
  .partial()
  .meta({ examples: [{ rate_limit_per_minute: 600 }] });

const widens = () =>
  invalidRequest([
    {
      path: 'publishable_reads',
      message:
        'cannot be widened to all: the publishable key reads public documents only. Give documents the principal public',
    },
  ]);

export const updateApiKey = defineOperation({
  id: 'updateApiKey',
  method: 'put',
  path: '/api/v1/api-keys/{id}',
  summary: 'Change the fields given of a pair of API keys',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  params: idParams('key'),
  query: none,
  body: jsonBody(body),
  success: 200,
  answer: answers(pairSchema),
  handle: async (ctx, { params: { id }, body }, call) => {
    const { teamId } = call.caller;
    const { publishableReads } = await requireActivePair(ctx.db, teamId, id);
    if (body.publishable_reads === 'all' && publishableReads !== 'all') throw widens();
    await requireCollections(ctx, body.allowed_collections, call);
    const pair = await ctx.db.$transaction(async (tx) => {
      await updatePair(tx, id, settingsOf(body));
      const action = { action: 'updateApiKey', resourceType: 'api_key', resourceId: id };
      await recordAudit(tx, actorOf(call), { ...action, details: { settings: { ...body } } });
      return requireActivePair(tx, teamId, id);
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return data(pairRecord(pair, ctx.lastUsed.peek(id)));
  },
});
