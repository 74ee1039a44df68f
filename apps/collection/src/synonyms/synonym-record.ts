import { ID_PREFIXES, type Synonym as SynonymRecord } from '@lectern/contracts';
import { AppError, digestOf } from '@lectern/service-kit';
import { type PackRule, type SynonymPack, synonymPacks } from '@lectern/text';
import type { Synonym } from '#gen/prisma/client';
import type { TeamSettings } from '#synonyms/synonym-settings';

/** The source of synonyms that a team created. */
export const CUSTOM = 'custom';

/** Returns the revision of the fields that an update can change. */
export const synonymRevision = ({ collectionId, input, terms, enabled }: Synonym): string =>
  digestOf([collectionId, input, terms, enabled]);

/** Maps a custom synonym to the contract. */
export const toSynonymRecord = (row: Synonym): SynonymRecord => ({
  id: row.id,
  collectionId: row.collectionId ?? undefined,
  input: row.input,
  terms: row.terms,
  enabled: row.enabled,
  source: CUSTOM,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  revision: synonymRevision(row),
});

/** Returns the id of a pack's rule, which is the same for all teams. */
export const packRuleId = ({ key }: PackRule): string => `${ID_PREFIXES.synonym}_${key}`;

/** Maps a pack's rule to the contract. */
export function toPackRecord(pack: SynonymPack, rule: PackRule, settings: TeamSettings): SynonymRecord {
  const id = packRuleId(rule);
  const enabled = !settings.disabledPacks.includes(pack.name) && !settings.disabledRules.includes(id);
  return {
    id,
    collectionId: undefined,
    input: [...rule.input],
    terms: [...rule.terms],
    enabled,
    source: pack.name,
    createdAt: undefined,
    updatedAt: undefined,
    revision: digestOf([enabled]),
  };
}

interface PackEntry {
  readonly pack: SynonymPack;
  readonly rule: PackRule;
}

let entries: ReadonlyMap<string, PackEntry> | undefined;

/** Returns the pack's rule with an id. */
export function packEntry(id: string): PackEntry | undefined {
  entries ??= new Map(
    synonymPacks().flatMap((pack) => pack.rules.map((rule) => [packRuleId(rule), { pack, rule }] as const)),
  );
  return entries.get(id);
}

/** Returns the error for a change that a pack's rule does not allow. */
export const ruleOfPack = (pack: string, reason: string): AppError =>
  new AppError('conflict', `The synonym belongs to the pack ${pack}, so ${reason}.`);
