import { type SearchRule, type SearchRuleContent, SearchRuleMatch } from '@lectern/contracts';
import { time } from '#operations/convert';

const MATCHES = { exact: SearchRuleMatch.EXACT, contains: SearchRuleMatch.CONTAINS } as const;

export type MatchName = keyof typeof MATCHES;

export const toMatch = (name: MatchName): SearchRuleMatch => MATCHES[name];

/** What a rule does. */
export const ruleContent = ({ query, match, pins, hiddenDocumentIds, enabled }: SearchRuleContent) => ({
  query,
  match: match === SearchRuleMatch.CONTAINS ? 'contains' : 'exact',
  pins: pins.map(({ documentId, position }) => ({ documentId, position })),
  hides: hiddenDocumentIds,
  enabled: enabled ?? true,
});

/** A search rule. */
export const searchRuleRecord = ({ id, collectionId, createdAt, updatedAt, ...rule }: SearchRule) => ({
  id,
  ...ruleContent(rule),
  collection: collectionId ?? null,
  createdAt: time(createdAt),
  updatedAt: time(updatedAt),
});
