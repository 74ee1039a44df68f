import type { SynonymPack as PackRecord } from '@lectern/contracts';
import type { SynonymPack } from '@lectern/text';
import { packRuleId } from '#synonyms/synonym-record';
import type { TeamSettings } from '#synonyms/synonym-settings';

/** Maps a pack to the contract. */
export function toPackSummary(
  { name, language, rules }: SynonymPack,
  { disabledPacks, disabledRules }: TeamSettings,
): PackRecord {
  const disabled = new Set(disabledRules);
  return {
    name,
    language,
    enabled: !disabledPacks.includes(name),
    ruleCount: rules.length,
    disabledRuleCount: rules.filter((rule) => disabled.has(packRuleId(rule))).length,
  };
}
