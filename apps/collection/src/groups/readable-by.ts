import { type Caller, requireNoFilters } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { principalsOfCaller } from '#groups/principals-of-user';

type Readable = Pick<Prisma.DocumentWhereInput, 'principals'>;

/**
 * Restricts documents to those that the end user or the publishable key of a call can read. Other
 * calls are restricted only by their key's scope. Throws `forbidden` for a user token with filters.
 */
export async function readableBy(context: Context, caller: Caller): Promise<Readable> {
  requireNoFilters(caller, 'do this');
  return readableByPrincipals(context, caller);
}

/** The same for reads that apply the filters of a user token themselves: see `documents/required.ts`. */
export async function readableByPrincipals(context: Context, caller: Caller): Promise<Readable> {
  const principals = await principalsOfCaller(context, caller);
  return principals === undefined ? {} : { principals: { hasSome: principals } };
}
