import { v5 } from 'uuid';

/** Never change this: the ids of all stored points depend on it. */
const NAMESPACE = '6c9d3a52-0f7e-5b41-9d38-4e1ab7c2f610';

/**
 * Returns the id of a passage's point, a UUIDv5 of `document:version:chunk`. Indexing a passage
 * again replaces its point, so indexing can be repeated safely.
 */
export function pointId(document: string, version: number, chunk: number): string {
  return v5(`${document}:${version}:${chunk}`, NAMESPACE);
}
