import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import { actorOf, recordAudit } from '#audit/record-audit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { rotateKeyPair } from '#keys/pair-store';
import { MANAGE_KEYS, requireActivePair } from '#operations/api-keys/require-pair';
import { newPairRecord, newPairSchema, pairRecord, pairRevision } from '#operations/api-keys/view';

/** 30 days. */
const MAX_OVERLAP_SECONDS = 2_592_000;

const body = z
  .strictObject({ overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(0) })
  .meta({ examples: [{ overlapSeconds: 3_600 }] });

export const rotateApiKey = defineOperation({
  id: 'rotateApiKey',
  method: 'post',
  path: '/api/v1/api-keys/{id}/rotate',
  summary: 'Give a pair new keys; the old ones work on for the overlap',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: optionalJsonBody(body),
  success: 200,
  answer: answers(newPairSchema),
  answersSecret: true,
  handle: async (ctx, { params: { id }, body: { overlapSeconds } }, call) => {
    const { teamId } = call.caller;
    await requireActivePair(ctx.db, teamId, id);
    const answer = await ctx.db.$transaction(async (tx) => {
      const keys = await rotateKeyPair(tx, id, overlapSeconds);
      if (keys === undefined) throw new AppError('conflict', 'This pair was revoked meanwhile. Create a new one.');
      const action = { action: 'rotateApiKey', resourceType: 'api_key', resourceId: id };
      await recordAudit(tx, actorOf(call), { ...action, details: { overlapSeconds } });
      const pair = await requireActivePair(tx, teamId, id);
      const usedAt = ctx.lastUsed.peek(id);
      const shown = newPairRecord(pair, keys, usedAt);
      return recordData(pairRecord(pair, usedAt), pairRevision(pair), { shown });
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return answer;
  },
});
