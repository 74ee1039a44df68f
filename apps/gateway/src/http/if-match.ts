import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '@lectern/contracts';
import { digestOf, invalidRequest } from '@lectern/service-kit';

/** The revisions that a request's If-Match accepts. */
export interface IfMatch extends Precondition {
  /** The tags in the format of Lectern's ETags, as sent. */
  readonly tags: readonly string[];
}

/** One entity tag (RFC 9110, 8.8.3) with the separator that can precede it in a list. */
const TAG = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/y;
const REST = /^[ \t,]*$/;
const LECTERN_TAG = /^([\w-]{16})\.[\w-]{16}$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly value: string;
}

/** Splits a list of tags. Returns undefined if it is malformed. */
function readTags(text: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  TAG.lastIndex = 0;
  let end = 0;
  for (let found = TAG.exec(text); found !== null; found = TAG.exec(text)) {
    tags.push({ isWeak: found[1] !== undefined, value: found[2] ?? '' });
    end = TAG.lastIndex;
  }
  return tags.length > 0 && REST.test(text.slice(end)) ? tags : undefined;
}

/**
 * Returns the strong ETag of a record: the revision of its editable fields and a digest of
 * everything shown. A change of either changes the tag. If-Match compares only the revision, so
 * that indexing a document does not block a rename.
 */
export const etagOf = (record: object, revision: string): string => `"${revision}.${digestOf(record)}"`;

/**
 * Parses a request's If-Match. Returns undefined if there is none, or for `*`, which every existing
 * record matches. Weak tags never match (RFC 9110, 13.1.1). Throws `invalid_request` for a
 * malformed list.
 */
export function readIfMatch(headers: IncomingHttpHeaders): IfMatch | undefined {
  const text = headers['if-match']?.toString();
  if (text === undefined || text.trim() === '*') return undefined;
  const found = readTags(text);
  if (found === undefined) {
    const message = 'must be * or one or more ETags exactly as received, quotes included, separated by commas';
    throw invalidRequest([{ path: 'If-Match', message }]);
  }
  const tags = found.flatMap(({ isWeak, value }) => (isWeak || !LECTERN_TAG.test(value) ? [] : [value]));
  return { tags: tags.map((tag) => `"${tag}"`), revisions: tags.map((tag) => tag.slice(0, tag.indexOf('.'))) };
}

/**
 * True if the client already has the current record (If-None-Match). Weak tags match here; a
 * malformed list is ignored.
 */
export function hasCurrent(headers: IncomingHttpHeaders, etag: string): boolean {
  const text = headers['if-none-match']?.toString() ?? '';
  return text.trim() === '*' || (readTags(text) ?? []).some(({ value }) => `"${value}"` === etag);
}
