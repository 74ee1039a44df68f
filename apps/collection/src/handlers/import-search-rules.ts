import type { ImportSearchRulesRequest } from '@lectern/contracts';
import { digestOf, type Issue, invalidRequest, newId, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { requireReadableDocuments } from '#documents/require-readable-documents';
import { changeSearchRules, MAX_RULES, ruleKey } from '#search-rules/change-search-rules';
import { documentsIn, readRule } from '#search-rules/check-search-rule';
import { requireRuleScope } from '#search-rules/find-search-rule';
import { columnsOf, contentOf, type RuleContent, toContentRecord } from '#search-rules/search-rule-record';

/** The documents that an import can name. */
const MAX_DOCUMENTS = 10_000;

/** Creates rules, or changes those for the same words, all or none. */
export const importSearchRules = (context: Context) => async (request: ImportSearchRulesRequest, call: ServiceCall) => {
  const { caller } = call;
  const { teamId } = caller;
  const collectionId = request.collectionId ?? null;
  if (collectionId === null) requireRuleScope(caller, collectionId);
  else await findCollection(context, caller, collectionId);
  const wanted = readRules(request);
  const named = request.rules.flatMap((rule, at) => documentsIn(rule, `rules[${at}].`));
  if (named.length > MAX_DOCUMENTS) {
    throw invalidRequest([{ path: 'rules', message: `must name at most ${MAX_DOCUMENTS} documents in total` }]);
  }
  // Documents that rules name already may have been deleted since.
  const before = new Set(
    (await context.db.searchRule.findMany({ where: { teamId, collectionId } })).flatMap((row) =>
      documentsIn(toContentRecord(contentOf(row))).map(([, document]) => document),
    ),
  );
  await requireReadableDocuments(
    context,
    caller,
    named.filter(([, document]) => !before.has(document)),
  );
  return changeSearchRules(
    context,
    teamId,
    async (tx) => {
      const existing = await tx.searchRule.findMany({ where: { teamId, collectionId } });
      const known = new Map(existing.map((row) => [ruleKey(row), row]));
      const added = [...wanted].flatMap(([key, rule]) => (known.has(key) ? [] : [rule]));
      const changed = [...wanted].flatMap(([key, rule]) => {
        const row = known.get(key);
        return row === undefined || isSame(contentOf(row), rule) ? [] : [{ id: row.id, rule }];
      });
      const obsolete = request.replace ? existing.filter((row) => !wanted.has(ruleKey(row))) : [];
      await tx.searchRule.deleteMany({ where: { teamId, id: { in: obsolete.map(({ id }) => id) } } });
      for (const { id, rule } of changed) await tx.searchRule.update({ where: { id }, data: columnsOf(rule) });
      // The last one is the newest, so that a list shows the first one first.
      const rows = added.toReversed().map((rule) => {
        return { id: newId('search_rule'), teamId, collectionId, ...columnsOf(rule) };
      });
      await tx.searchRule.createMany({ data: rows });
      return {
        created: added.length,
        updated: changed.length,
        unchanged: wanted.size - added.length - changed.length,
        deleted: obsolete.length,
      };
    },
    collectionId === null ? undefined : (tx) => lockCollection(tx, collectionId),
  );
};

const isSame = (one: RuleContent, other: RuleContent): boolean =>
  digestOf([columnsOf(one)]) === digestOf([columnsOf(other)]);

/** Returns the rules by their words. */
function readRules({ rules }: ImportSearchRulesRequest): ReadonlyMap<string, RuleContent> {
  if (rules.length > MAX_RULES) {
    throw invalidRequest([{ path: 'rules', message: `must have at most ${MAX_RULES} rules` }]);
  }
  const issues: Issue[] = [];
  const read = new Map<string, RuleContent>();
  for (const [at, rule] of rules.entries()) {
    const content = readRule(rule, issues, `rules[${at}].`);
    const key = ruleKey(content);
    if (read.has(key)) issues.push({ path: `rules[${at}].query`, message: 'must differ from the other rules' });
    read.set(key, content);
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return read;
}
