import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { time } from '#http/time';
import { ownKeySchema } from '#operations/api-keys/view';

export const getOwnKey = defineOperation({
  id: 'getOwnKey',
  method: 'get',
  path: '/api/v1/key',
  summary: 'Tell a caller its own team, kind of key and scope',
  access: 'publishable',
  params: none,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(ownKeySchema),
  handle: async ({ config }, _input, { key }) => {
    const { kind, scope } = key;
    const standard = kind === 'secret' ? config.RATE_LIMIT_SECRET_PER_MINUTE : config.RATE_LIMIT_PUBLISHABLE_PER_MINUTE;
    return data({
      id: key.pairId,
      name: key.pairName,
      teamId: key.teamId,
      kind,
      allow_all_collections: scope.kind === 'all',
      allowed_collections: scope.kind === 'all' ? [] : scope.ids,
      publishable_reads: key.publishableReads,
      require_signature: key.requireSignature,
      rate_limit_per_minute: key.rateLimitPerMinute ?? standard,
      expires_at: time(key.expiresAt ?? undefined),
    });
  },
});
