import { invalidRequest } from './errors/app-error.ts';
import { toAppError } from './errors/to-app-error.ts';
import { type IdKind, isId, newId } from './ids.ts';

/** How something that has an id is found and made. */
export interface Making<T> {
  readonly kind: IdKind;
  /** Chosen by who asks, the same in each try of a call; undefined where any will do. */
  readonly id: string | undefined;
  /** What has the id, of the caller's team; null where nothing has. */
  find(id: string): Promise<T | null>;
  make(id: string): Promise<T>;
}

/**
 * Makes something once, however often a call is made again because its answer was lost: under the id that was chosen for it, an earlier try's is the
 * answer. Throws `invalid_request` for what is no id of the kind, and what `make` throws.
 */
export async function createOnce<T>({ kind, id, find, make }: Making<T>): Promise<T> {
  if (id === undefined) return make(newId(kind));
  if (!isId(kind, id)) throw invalidRequest([{ path: 'id', message: `must be the id of a ${kind}` }]);
  const made = await find(id);
  if (made !== null) return made;
  try {
    return await make(id);
  } catch (error) {
    // Another try came first, or the id is another team's.
    const found = toAppError(error).code === 'conflict' ? await find(id) : null;
    if (found === null) throw error;
    return found;
  }
}
