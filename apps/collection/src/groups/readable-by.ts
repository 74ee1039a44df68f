import type { Caller } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { principalsOfCaller } from '#groups/principals-of-user';

/**
 * Restricts documents to those that the end user or the publishable key of a call can read. Other
 * calls are restricted only by their key's scope.
 */
export async function readableBy(
  context: Context,
  caller: Caller,
): Promise<Pick<Prisma.DocumentWhereInput, 'principals'>> {
  const principals = await principalsOfCaller(context, caller);
  return principals === undefined ? {} : { principals: { hasSome: principals } };
}
