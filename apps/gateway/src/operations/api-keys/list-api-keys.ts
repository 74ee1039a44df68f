import { pageInfo, readPage } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { listPairs } from '#keys/pair-store';
import { MANAGE_KEYS } from '#operations/api-keys/require-pair';
import { pairRecord, pairSchema } from '#operations/api-keys/view';

export const listApiKeys = defineOperation({
  id: 'listApiKeys',
  method: 'get',
  path: '/api/v1/api-keys',
  summary: 'List pairs of API keys, newest first, revoked ones included',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  params: none,
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(pairSchema)),
  handle: async (ctx, { query }, { caller }) => {
    const wanted = readPage(query);
    const { pairs, total } = await listPairs(ctx.db, caller.teamId, wanted);
    return page(
      pairs.map((pair) => pairRecord(pair, ctx.lastUsed.peek(pair.id))),
      pageInfo(wanted, total),
    );
  },
});
