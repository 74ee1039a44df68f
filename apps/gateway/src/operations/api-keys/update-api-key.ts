import { invalidRequest, requireRevision } from '@lectern/service-kit';
import { z } from 'zod';
import { actorOf, recordAudit } from '#audit/record-audit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { recordBody } from '#http/body/record-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { lockPair, updatePair } from '#keys/pair-store';
import { pairFields, settingsOf } from '#operations/api-keys/fields';
import { requireCollections } from '#operations/api-keys/require-collections';
import { MANAGE_KEYS, requireActivePair, requirePair } from '#operations/api-keys/require-pair';
import { pairRecord, pairRevision, pairSchema } from '#operations/api-keys/view';

const body = z
  .strictObject(pairFields)
  .partial()
  .meta({ examples: [{ rate_limit_per_minute: 600 }] });

const widens = () =>
  invalidRequest([
    {
      path: 'publishable_reads',
      message:
        'cannot be changed to all: the publishable key reads public documents only. To publish a document, give it the principal public',
    },
  ]);

export const updateApiKey = defineOperation({
  id: 'updateApiKey',
  method: 'put',
  path: '/api/v1/api-keys/{id}',
  summary: 'Change the fields given of a pair of API keys',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: recordBody(body, { record: pairSchema, moving: ['lastUsedAt'] }),
  success: 200,
  answer: answers(pairSchema),
  current: async (ctx, { id }, { caller }) => {
    const pair = await requirePair(ctx.db, caller.teamId, id);
    return { record: pairRecord(pair, ctx.lastUsed.peek(id)), revision: pairRevision(pair) };
  },
  handle: async (ctx, { params: { id }, body }, call) => {
    const { teamId } = call.caller;
    const { allowedCollections, publishableReads } = await requireActivePair(ctx.db, teamId, id);
    if (body.publishable_reads === 'all' && publishableReads !== 'all') throw widens();
    await requireCollections(ctx, body.allowed_collections, call, allowedCollections);
    const pair = await ctx.db.$transaction(async (tx) => {
      await lockPair(tx, id);
      requireRevision(call.ifMatch, pairRevision(await requireActivePair(tx, teamId, id)));
      await updatePair(tx, id, settingsOf(body));
      const action = { action: 'updateApiKey', resourceType: 'api_key', resourceId: id };
      await recordAudit(tx, actorOf(call), { ...action, details: { settings: { ...body } } });
      return requireActivePair(tx, teamId, id);
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return recordData(pairRecord(pair, ctx.lastUsed.peek(id)), pairRevision(pair));
  },
});
