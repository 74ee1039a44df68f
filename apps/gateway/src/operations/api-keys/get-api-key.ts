import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { MANAGE_KEYS, requirePair } from '#operations/api-keys/require-pair';
import { pairRecord, pairRevision, pairSchema } from '#operations/api-keys/view';

export const getApiKey = defineOperation({
  id: 'getApiKey',
  method: 'get',
  path: '/api/v1/api-keys/{id}',
  summary: 'Get a pair of API keys, without the keys',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(pairSchema),
  handle: async (ctx, { params: { id } }, { caller }) => {
    const pair = await requirePair(ctx.db, caller.teamId, id);
    return recordData(pairRecord(pair, ctx.lastUsed.peek(id)), pairRevision(pair));
  },
});
