import { type SearchPin, SearchRuleMatch, type SearchRule as SearchRuleRecord } from '@lectern/contracts';
import { digestOf } from '@lectern/service-kit';
import { z } from 'zod';
import type { SearchRule } from '#gen/prisma/client';

/** What a rule does, without what the server assigns. */
export interface RuleContent {
  readonly query: string;
  readonly match: 'exact' | 'contains';
  /** By position. */
  readonly pins: readonly SearchPin[];
  readonly hidden: readonly string[];
  readonly enabled: boolean;
}

const storedPins = z.array(z.object({ documentId: z.string(), position: z.int() }));
const storedMatch = z.enum(['exact', 'contains']);

/** Returns the content of a stored rule. */
export const contentOf = ({ query, match, pins, hidden, enabled }: SearchRule): RuleContent => ({
  query,
  match: storedMatch.parse(match),
  pins: storedPins.parse(pins),
  hidden,
  enabled,
});

/** Returns the columns of a rule's content. */
export const columnsOf = ({ query, match, pins, hidden, enabled }: RuleContent) => ({
  query,
  match,
  pins: pins.map(({ documentId, position }) => ({ documentId, position })),
  hidden: [...hidden],
  enabled,
});

/** Maps a rule's content to the contract. */
export const toContentRecord = ({ query, match, pins, hidden, enabled }: RuleContent) => ({
  query,
  match: match === 'exact' ? SearchRuleMatch.EXACT : SearchRuleMatch.CONTAINS,
  pins: pins.map(({ documentId, position }) => ({ documentId, position })),
  hiddenDocumentIds: [...hidden],
  enabled,
});

/** Returns the revision of the fields that an update can change. */
export const ruleRevision = (row: SearchRule): string => digestOf([row.collectionId, columnsOf(contentOf(row))]);

/** Maps a rule to the contract. */
export const toRuleRecord = (row: SearchRule): SearchRuleRecord => ({
  id: row.id,
  collectionId: row.collectionId ?? undefined,
  ...toContentRecord(contentOf(row)),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  revision: ruleRevision(row),
});
