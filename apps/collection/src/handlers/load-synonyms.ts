import type { LoadSynonymsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toSynonymRecord } from '#synonyms/synonym-record';
import { settingsOf } from '#synonyms/synonym-settings';

/**
 * Returns what the searches of the caller's team use. It covers all collections, because the search
 * service caches it for all callers of the team and applies only what belongs to their scope. The
 * newest is the first, as in lists: a search uses the first synonyms of a word.
 */
export const loadSynonyms = (context: Context) => async (_request: LoadSynonymsRequest, call: ServiceCall) => {
  const { teamId } = call.caller;
  const [settings, rows] = await context.db.$transaction(
    async (tx) =>
      [
        await settingsOf(tx, teamId),
        await tx.synonym.findMany({ where: { teamId, enabled: true }, orderBy: { id: 'desc' } }),
      ] as const,
    // The version must belong to the rows.
    { isolationLevel: 'RepeatableRead' },
  );
  return {
    version: settings.version,
    synonyms: rows.map(toSynonymRecord),
    disabledPacks: [...settings.disabledPacks],
    disabledRuleIds: [...settings.disabledRules],
  };
};
