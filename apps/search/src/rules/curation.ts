import type { SearchRule } from '@lectern/contracts';

/** A document at a position of the results, counted from 0. */
export interface Pin {
  readonly document: string;
  readonly slot: number;
}

/** What the rules for a query do. */
export interface Curation {
  /** By position. No two have the same position or document. */
  readonly pins: readonly Pin[];
  readonly hidden: readonly string[];
}

export const NO_CURATION: Curation = { pins: [], hidden: [] };

/** Limits of all rules for one query. Each document is named in every request to the store. */
const LIMITS = { pins: 50, hidden: 500 } as const;

/**
 * Combines rules, newest first. A hidden document is not pinned. If several rules pin a document, the
 * newest counts; if several documents are pinned to one position, the newest gets it and the others
 * follow.
 */
export function curationOf(rules: readonly SearchRule[]): Curation {
  if (rules.length === 0) return NO_CURATION;
  const hidden = new Set(rules.flatMap((rule) => rule.hiddenDocumentIds).slice(0, LIMITS.hidden));
  const positions = new Map<string, number>();
  for (const { documentId, position } of rules.flatMap((rule) => rule.pins)) {
    if (!hidden.has(documentId) && !positions.has(documentId)) positions.set(documentId, position);
  }
  const byPosition = [...positions].slice(0, LIMITS.pins).sort(([, a], [, b]) => a - b);
  let next = 0;
  const pins = byPosition.map(([document, position]) => {
    const slot = Math.max(next, position - 1);
    next = slot + 1;
    return { document, slot };
  });
  return { pins, hidden: [...hidden] };
}

/** Part of a list, end exclusive. */
interface Span {
  readonly offset: number;
  readonly end: number;
}

/** Returns the part of the other results that can be on a page of the list with the pins. */
export function othersOn({ offset, end }: Span, pins: readonly Pin[]): Span {
  const before = (limit: number) => pins.filter(({ slot }) => slot < limit).length;
  return { offset: offset - before(offset), end: end - before(end) };
}

/**
 * Returns a page of the list with the pins. If there are too few results for a position, the document
 * follows the last one. `others` are those of `othersOn`, of `total`.
 */
export function mergePins<Hit>(
  { offset, end }: Span,
  pins: readonly (Pin & { readonly hit: Hit })[],
  others: readonly Hit[],
  total: number,
): readonly Hit[] {
  const start = othersOn({ offset, end }, pins).offset;
  const bySlot = new Map(pins.map(({ slot, hit }, at) => [Math.min(slot, total + at), hit]));
  let pinsBefore = [...bySlot.keys()].filter((slot) => slot < offset).length;
  const page: Hit[] = [];
  for (let at = offset; at < Math.min(end, total + pins.length); at++) {
    const pinned = bySlot.get(at);
    const hit = pinned ?? others[at - pinsBefore - start];
    if (pinned !== undefined) pinsBefore += 1;
    if (hit !== undefined) page.push(hit);
  }
  return page;
}
