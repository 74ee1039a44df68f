import type { Caller } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { principalsOfUser } from '#groups/principals-of-user';

/** Narrows documents to those that the end user of a call may read; a call without one is narrowed by its key's scope alone. */
export async function readableBy(
  context: Context,
  caller: Caller,
): Promise<Pick<Prisma.DocumentWhereInput, 'principals'>> {
  if (caller.userEmail === undefined) return {};
  return { principals: { hasSome: await principalsOfUser(context, caller.teamId, caller.userEmail) } };
}
