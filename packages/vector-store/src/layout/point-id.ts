import { v5 } from 'uuid';

/** Never to change: the ids of all stored points come from it. */
const NAMESPACE = '6c9d3a52-0f7e-5b41-9d38-4e1ab7c2f610';

/**
 * The id of a passage's point: UUIDv5 of `document:version:chunk`. The same passage indexed again takes the place of the first, so indexing can
 * be repeated at any point.
 */
export function pointId(document: string, version: number, chunk: number): string {
  return v5(`${document}:${version}:${chunk}`, NAMESPACE);
}
