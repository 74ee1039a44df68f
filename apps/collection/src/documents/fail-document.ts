import type { Context } from '#context';
import { statesBefore } from '#document-status';

/** Marks a document `failed` with a readable error. Returns false if it is deleted or unknown. */
export async function failDocument(
  { db }: Context,
  teamId: string,
  id: string,
  error: { readonly code: string; readonly message: string },
): Promise<boolean> {
  const { count } = await db.document.updateMany({
    where: { id, teamId, status: { in: statesBefore('failed') } },
    data: { status: 'failed', errorCode: error.code, errorMessage: error.message },
  });
  return count > 0;
}
