import { type SearchRuleContent, SearchRuleMatch } from '@lectern/contracts';
import type { Issue } from '@lectern/service-kit';
import type { RuleContent } from '#search-rules/search-rule-record';

/** The limits of a rule. */
const RULE_LIMITS = { characters: 200, words: 20, pins: 20, position: 100, hidden: 100 } as const;

const MATCHES = {
  [SearchRuleMatch.UNSPECIFIED]: 'exact',
  [SearchRuleMatch.EXACT]: 'exact',
  [SearchRuleMatch.CONTAINS]: 'contains',
} as const;

/** A word has a letter, a digit or an emoji. */
const HAS_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/**
 * Checks the fields of a rule. `at` is the path of the rule in the request, for example `rules[3].`.
 * Adds what is invalid to `issues`.
 */
export function readRule(rule: SearchRuleContent, issues: Issue[], at = ''): RuleContent {
  const query = rule.query.replaceAll(/\s+/gu, ' ').trim();
  const report = (path: string, message: string) => issues.push({ path: `${at}${path}`, message });
  if (!HAS_WORD.test(query)) report('query', 'must contain a letter, a digit or an emoji');
  if ([...query].length > RULE_LIMITS.characters) {
    report('query', `must have at most ${RULE_LIMITS.characters} characters`);
  }
  if (query.split(' ').length > RULE_LIMITS.words) report('query', `must have at most ${RULE_LIMITS.words} words`);
  const match = rule.match === SearchRuleMatch.UNRECOGNIZED ? undefined : MATCHES[rule.match];
  if (match === undefined) report('match', 'must be exact or contains');

  const { pins, hiddenDocumentIds: hidden } = rule;
  if (pins.length === 0 && hidden.length === 0) report('pins', 'or hides must name at least 1 document');
  if (pins.length > RULE_LIMITS.pins) report('pins', `must have at most ${RULE_LIMITS.pins} documents`);
  if (hidden.length > RULE_LIMITS.hidden) report('hides', `must have at most ${RULE_LIMITS.hidden} documents`);
  const documents = new Set<string>();
  const positions = new Set<number>();
  for (const [index, { documentId, position }] of pins.entries()) {
    if (!Number.isInteger(position) || position < 1 || position > RULE_LIMITS.position) {
      report(`pins[${index}].position`, `must be between 1 and ${RULE_LIMITS.position}`);
    }
    if (positions.has(position)) report(`pins[${index}].position`, 'must differ from the other positions');
    if (documents.has(documentId)) report(`pins[${index}].documentId`, 'must differ from the other documents');
    documents.add(documentId);
    positions.add(position);
  }
  for (const [index, id] of hidden.entries()) {
    if (documents.has(id)) report(`hides[${index}]`, 'must differ from the other documents');
    documents.add(id);
  }
  return {
    query,
    match: match ?? 'exact',
    pins: pins.toSorted((a, b) => a.position - b.position),
    hidden: [...hidden],
    enabled: rule.enabled ?? true,
  };
}

/** Returns the documents that a rule of a request names, by the path of each. */
export const documentsIn = (
  { pins, hiddenDocumentIds }: Pick<SearchRuleContent, 'pins' | 'hiddenDocumentIds'>,
  at = '',
): readonly (readonly [path: string, id: string])[] => [
  ...pins.map(({ documentId }, index) => [`${at}pins[${index}].documentId`, documentId] as const),
  ...hiddenDocumentIds.map((id, index) => [`${at}hides[${index}]`, id] as const),
];
