import type { ImportSynonymsRequest } from '@lectern/contracts';
import { type Issue, invalidRequest, newId, type ServiceCall } from '@lectern/service-kit';
import { normalizeRule, parseSolrSynonyms, problemOfRule, ruleKey, type SynonymRule } from '@lectern/text';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { changeSynonyms, TEAM_LIMITS } from '#synonyms/change-synonyms';
import { requireSynonymScope } from '#synonyms/find-synonym';

/** A rule to import. */
interface NewRule extends SynonymRule {
  readonly enabled: boolean;
}

/** Creates custom synonyms, all or none. Those that exist already stay as they are. */
export const importSynonyms = (context: Context) => async (request: ImportSynonymsRequest, call: ServiceCall) => {
  const { caller } = call;
  const { teamId } = caller;
  const collectionId = request.collectionId ?? null;
  if (collectionId === null) requireSynonymScope(caller, collectionId);
  else await findCollection(context, caller, collectionId);
  const rules = request.text === undefined ? readRules(request) : readText(request.text);
  const wanted = new Map(rules.map((rule) => [ruleKey(rule), rule]));
  if (wanted.size > TEAM_LIMITS.synonyms) {
    const path = request.text === undefined ? 'synonyms' : 'text';
    throw invalidRequest([{ path, message: `must have at most ${TEAM_LIMITS.synonyms} synonyms` }]);
  }
  return changeSynonyms(
    context,
    teamId,
    async (tx) => {
      const existing = await tx.synonym.findMany({ where: { teamId, collectionId } });
      const known = new Set(existing.map(ruleKey));
      const added = [...wanted].flatMap(([key, rule]) => (known.has(key) ? [] : [rule]));
      const obsolete = request.replace ? existing.filter((row) => !wanted.has(ruleKey(row))) : [];
      await tx.synonym.deleteMany({ where: { teamId, id: { in: obsolete.map(({ id }) => id) } } });
      // The last one is the newest, so that a list shows the first one first.
      const rows = added.reverse().map(({ input, terms, enabled }) => ({
        id: newId('synonym'),
        teamId,
        collectionId,
        input: [...input],
        terms: [...terms],
        enabled,
      }));
      await tx.synonym.createMany({ data: rows });
      return { created: added.length, unchanged: wanted.size - added.length, deleted: obsolete.length };
    },
    collectionId === null ? undefined : (tx) => lockCollection(tx, collectionId),
  );
};

function readText(text: string): readonly NewRule[] {
  const { lines, problems } = parseSolrSynonyms(text);
  if (problems.length > 0) {
    throw invalidRequest(problems.map(({ line, message }) => ({ path: 'text', message: `line ${line}: ${message}` })));
  }
  return lines.map(({ rule }) => ({ ...rule, enabled: true }));
}

function readRules({ synonyms }: ImportSynonymsRequest): readonly NewRule[] {
  const issues: Issue[] = [];
  const rules = synonyms.map(({ input, terms, enabled = true }, at) => {
    const rule = normalizeRule({ input, terms });
    const problem = problemOfRule(rule);
    if (problem !== undefined) issues.push({ path: `synonyms[${at}].${problem.side}`, message: problem.message });
    return { ...rule, enabled };
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return rules;
}
