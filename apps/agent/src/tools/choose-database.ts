import { AppError, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { ToolCall } from '#tools/tool';

/** The databases that a tool may ask. */
export async function listDatabases(ctx: Context, call: ToolCall) {
  return (await ctx.databases.listDatabases({ collectionIds: [] }, onBehalfOf(call))).databases;
}

/**
 * The database that is meant, by its connector's id or name, or the only one there is. Throws `invalid_request` that names those there are. It
 * is chosen from the list of what may be asked, so no id of elsewhere is ever passed on.
 */
export async function chooseDatabase(ctx: Context, call: ToolCall, wanted: string | undefined) {
  const databases = await listDatabases(ctx, call);
  const fitting =
    wanted === undefined
      ? databases
      : databases.filter(({ connectorId, name }) => connectorId === wanted || name === wanted);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  if (databases.length === 0)
    throw new AppError('invalid_request', 'No database is connected to the collections of this agent.');
  const known = databases.map(({ name, connectorId }) => `${name} (${connectorId})`).join(', ');
  throw new AppError('invalid_request', `Say which database is meant. There are: ${known}.`);
}
