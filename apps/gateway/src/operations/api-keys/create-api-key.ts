import { z } from 'zod';
import { actorOf, recordAudit } from '#audit/record-audit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { createKeyPair } from '#keys/pair-store';
import { pairFields, settingsOf } from '#operations/api-keys/fields';
import { requireCollections } from '#operations/api-keys/require-collections';
import { MANAGE_KEYS, requirePair } from '#operations/api-keys/require-pair';
import { newPairRecord, newPairSchema, pairRecord, pairRevision } from '#operations/api-keys/view';

const { name, ...rest } = pairFields;
const publishable_reads = z.literal('public', 'must be public: new publishable keys read public documents only');
const body = z.strictObject({ name, ...z.object({ ...rest, publishable_reads }).partial().shape }).meta({
  examples: [
    { name: 'Website', allowed_collections: ['col_01h455vb4pex5vsknk084sn02q'], allowed_hosts: ['example.com'] },
  ],
});

export const createApiKey = defineOperation({
  id: 'createApiKey',
  method: 'post',
  path: '/api/v1/api-keys',
  summary: 'Create a pair of API keys; both are shown once',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(body),
  success: 201,
  answer: answers(newPairSchema),
  answersSecret: true,
  handle: async (ctx, { body }, call) => {
    await requireCollections(ctx, body.allowed_collections, call);
    const { name = body.name, ...given } = settingsOf(body);
    // Whoever names collections and no more means those alone.
    const settings = { allowAllCollections: body.allowed_collections === undefined, ...given };
    const { teamId } = call.caller;
    return ctx.db.$transaction(async (tx) => {
      const keys = await createKeyPair(tx, teamId, name, settings);
      const action = { action: 'createApiKey', resourceType: 'api_key', resourceId: keys.id };
      await recordAudit(tx, actorOf(call), { ...action, details: { settings: { ...body } } });
      const pair = await requirePair(tx, teamId, keys.id);
      return recordData(pairRecord(pair), pairRevision(pair), { shown: newPairRecord(pair, keys) });
    });
  },
});
