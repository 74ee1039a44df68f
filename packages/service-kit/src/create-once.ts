import { type IdKind, isId } from '@lectern/contracts';
import { invalidRequest } from '#errors/app-error';
import { toAppError } from '#errors/to-app-error';
import { newId } from '#ids';

/** How to find and create a resource. */
export interface CreateOptions<T> {
  readonly kind: IdKind;
  /** Chosen by the caller and the same for each retry of a call. Undefined: a new id. */
  readonly id: string | undefined;
  /** Finds the resource of the caller's team. */
  find(id: string): Promise<T | null>;
  create(id: string): Promise<T>;
}

/**
 * Creates a resource once, even if the call is retried because its response was lost: a retry with the
 * same id returns the existing resource. Throws `invalid_request` for an invalid id, and the errors
 * of `create`.
 */
export async function createOnce<T>({ kind, id, find, create }: CreateOptions<T>): Promise<T> {
  if (id === undefined) return create(newId(kind));
  if (!isId(kind, id)) throw invalidRequest([{ path: 'id', message: `must be the id of a ${kind}` }]);
  const existing = await find(id);
  if (existing !== null) return existing;
  try {
    return await create(id);
  } catch (error) {
    // Another attempt was faster, or the id belongs to another team.
    const found = toAppError(error).code === 'conflict' ? await find(id) : null;
    if (found === null) throw error;
    return found;
  }
}
