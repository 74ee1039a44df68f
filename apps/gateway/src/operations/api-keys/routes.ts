import { apiKeys } from '@lectern/api-spec';
import { AppError, invalidRequest, notFound, pageInfo, readPage, requireRevision } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import { findBudget } from '#budgets/budget-store';
import { data, page, recordData } from '#http/api-response';
import { lockRights } from '#identity/credential';
import { deleteLinksOf, revokePairWithLinks } from '#identity/link-store';
import { findPerson } from '#identity/person-store';
import type { StoredKey } from '#keys/key-store';
import { createKeyPair, listPairs, lockPair, rotateKeyPair, updatePair } from '#keys/pair-store';
import { isWhole, requireNotWider } from '#keys/rights';
import { limitPerMinute } from '#limits/limit-request';
import { languageOf } from '#operations/account/mapping';
import { newPairRecord, pairRecord, pairRevision, settingsOf } from '#operations/api-keys/mapping';
import { requireActivePair, requireCollections, requirePair } from '#operations/api-keys/pairs';
import { budgetRecord } from '#operations/budgets/mapping';
import { time } from '#operations/convert';
import { personRecordOf } from '#operations/people/mapping';
import { route } from '#pipeline/operation';

const actionOn = (action: string, resourceId: string) => ({ action, resourceType: 'api_key', resourceId });

const cannotWidenReads = () =>
  invalidRequest([
    {
      path: 'publishable_reads',
      message:
        'cannot be changed to all: the publishable key reads public documents only. To publish a document, give it the principal public',
    },
  ]);

/** What every publishable key may do. */
const PUBLISHABLE_RIGHTS = ['search', 'documents:read'];

function callerKind({ kind, person, token }: StoredKey) {
  if (person !== undefined) return 'session';
  return token === undefined ? kind : 'user_token';
}

/** The limits of a key that apply to the pairs that it creates. */
function limitsOf({ person, requireSignature, rateLimitPerMinute, expiresAt }: StoredKey) {
  return person === undefined ? { requireSignature, rateLimitPerMinute: rateLimitPerMinute ?? null, expiresAt } : {};
}

export const apiKeyRoutes = [
  route(apiKeys.getOwnKey, async ({ config, db }, _input, { key }) => {
    const { scope, token } = key;
    const person = key.person && (await findPerson(db, key.teamId, key.pairId));
    const budget = key.kind === 'secret' ? await findBudget(db, key.teamId, key.pairId) : undefined;
    return data({
      id: key.pairId,
      name: key.pairName,
      teamId: key.teamId,
      kind: callerKind(key),
      person: person === undefined ? null : await personRecordOf(db, person),
      language: languageOf(person),
      user: token?.user ?? null,
      allow_all_collections: scope.kind === 'all',
      allowed_collections: scope.kind === 'all' ? [] : scope.ids,
      rights: token?.rights ?? (key.kind === 'publishable' ? PUBLISHABLE_RIGHTS : key.rights),
      publishable_reads: key.publishableReads,
      require_signature: key.requireSignature,
      rate_limit_per_minute: limitPerMinute(config, key),
      expires_at: time(key.expiresAt ?? undefined),
      budget: budget === undefined ? null : budgetRecord(budget),
    });
  }),

  route(apiKeys.listApiKeys, async (ctx, { query }, { caller }) => {
    const paging = readPage(query);
    const { pairs, total } = await listPairs(ctx.db, caller.teamId, paging);
    const records = pairs.map((pair) => pairRecord(pair, ctx.lastUsed.peek(pair.id)));
    return page(records, pageInfo(paging, total));
  }),

  route(apiKeys.createApiKey, async (ctx, { body }, call) => {
    await requireCollections(ctx, body.allowed_collections, call);
    const { name = body.name, ...chosen } = settingsOf(body);
    // A pair that names collections has access to only these by default.
    const settings = {
      allowAllCollections: body.allowed_collections === undefined,
      rights: [...call.key.rights],
      allowedIps: [...call.key.allowedIps],
      ...limitsOf(call.key),
      ...chosen,
    };
    requireNotWider(call.key, settings);
    const { teamId } = call.caller;
    return ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const keys = await createKeyPair(tx, teamId, name, settings);
      const details = { settings: { ...body } };
      await recordAudit(tx, actorOf(call), { ...actionOn('createApiKey', keys.id), details });
      const pair = await requirePair(tx, teamId, keys.id);
      return recordData(pairRecord(pair), pairRevision(pair), { shown: newPairRecord(pair, keys) });
    });
  }),

  route(apiKeys.getApiKey, async (ctx, { params: { id } }, { caller }) => {
    const pair = await requirePair(ctx.db, caller.teamId, id);
    return recordData(pairRecord(pair, ctx.lastUsed.peek(id)), pairRevision(pair));
  }),

  route(
    apiKeys.updateApiKey,
    async (ctx, { params: { id }, body }, call) => {
      const { teamId } = call.caller;
      const { allowedCollections, publishableReads } = await requireActivePair(ctx.db, teamId, id);
      if (body.publishable_reads === 'all' && publishableReads !== 'all') throw cannotWidenReads();
      await requireCollections(ctx, body.allowed_collections, call, { current: allowedCollections });
      const pair = await ctx.db.$transaction(async (tx) => {
        await lockRights(ctx, tx, call);
        await lockPair(tx, id);
        requireRevision(call.ifMatch, pairRevision(await requireActivePair(tx, teamId, id)));
        await updatePair(tx, id, settingsOf(body));
        const after = await requireActivePair(tx, teamId, id);
        requireNotWider(call.key, after);
        // Links to accounts need a whole key: see `createInvitation`.
        if (!isWhole(after) || !after.allowAllCollections) await deleteLinksOf(tx, id);
        const details = { settings: { ...body } };
        await recordAudit(tx, actorOf(call), { ...actionOn('updateApiKey', id), details });
        return after;
      });
      ctx.pairChanges.announce({ teamId, pairId: id });
      return recordData(pairRecord(pair, ctx.lastUsed.peek(id)), pairRevision(pair));
    },
    {
      current: async (ctx, { id }, { caller }) => {
        const pair = await requirePair(ctx.db, caller.teamId, id);
        return { record: pairRecord(pair, ctx.lastUsed.peek(id)), revision: pairRevision(pair) };
      },
    },
  ),

  route(apiKeys.rotateApiKey, async (ctx, { params: { id }, body: { overlapSeconds } }, call) => {
    const { teamId } = call.caller;
    await requireActivePair(ctx.db, teamId, id);
    const response = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      // The response contains the new keys.
      requireNotWider(call.key, await requireActivePair(tx, teamId, id));
      const keys = await rotateKeyPair(tx, id, overlapSeconds);
      if (keys === undefined)
        throw new AppError('conflict', 'This pair was revoked during the request. Create a new one.');
      await recordAudit(tx, actorOf(call), { ...actionOn('rotateApiKey', id), details: { overlapSeconds } });
      const pair = await requireActivePair(tx, teamId, id);
      const usedAt = ctx.lastUsed.peek(id);
      return recordData(pairRecord(pair, usedAt), pairRevision(pair), { shown: newPairRecord(pair, keys, usedAt) });
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return response;
  }),

  route(apiKeys.revokeApiKey, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    await requirePair(ctx.db, teamId, id);
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      await lockPair(tx, id);
      const pair = await requirePair(tx, teamId, id);
      if (pair.revokedAt !== null) throw notFound('key', id);
      requireRevision(call.ifMatch, pairRevision(pair));
      await revokePairWithLinks(tx, id);
      await recordAudit(tx, actorOf(call), actionOn('revokeApiKey', id));
    });
    ctx.pairChanges.announce({ teamId, pairId: id });
    return data({ id, deleted: true });
  }),
];
