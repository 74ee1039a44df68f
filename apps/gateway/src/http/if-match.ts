import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '@lectern/contracts';
import { digestOf, invalidRequest } from '@lectern/service-kit';

/** The records that a request is meant for, as its If-Match names them. */
export interface IfMatch extends Precondition {
  /** The tags that may be ours, as they were sent. */
  readonly tags: readonly string[];
}

/** One entity tag (RFC 9110, 8.8.3), and what may stand before it in a list. */
const TAG = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/y;
const REST = /^[ \t,]*$/;
const OURS = /^([\w-]{16})\.[\w-]{16}$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly value: string;
}

/** The tags of a list; undefined where it is malformed. */
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
 * The strong ETag of a record: the revision of what an update can change, and a digest of all that is shown. A change of either changes the tag;
 * If-Match goes by the revision alone, so that a document that is counted meanwhile stops nobody from changing a name.
 */
export const etagOf = (record: object, revision: string): string => `"${revision}.${digestOf(record)}"`;

/**
 * The condition of a request; undefined where it has none, or `*`, which every record that exists meets. Weak tags never match (RFC 9110, 13.1.1).
 * Throws `invalid_request` for what is no list of tags.
 */
export function readIfMatch(headers: IncomingHttpHeaders): IfMatch | undefined {
  const text = headers['if-match']?.toString();
  if (text === undefined || text.trim() === '*') return undefined;
  const found = readTags(text);
  if (found === undefined) {
    const message = 'must be *, or one or more ETags as they were received, quotes included, with commas between them';
    throw invalidRequest([{ path: 'If-Match', message }]);
  }
  const tags = found.flatMap(({ isWeak, value }) => (isWeak || !OURS.test(value) ? [] : [value]));
  return { tags: tags.map((tag) => `"${tag}"`), revisions: tags.map((tag) => tag.slice(0, tag.indexOf('.'))) };
}

/** True where the client has what is answered (If-None-Match). Weak tags count here; a malformed list means nothing. */
export function hasCurrent(headers: IncomingHttpHeaders, etag: string): boolean {
  const text = headers['if-none-match']?.toString() ?? '';
  return text.trim() === '*' || (readTags(text) ?? []).some(({ value }) => `"${value}"` === etag);
}
