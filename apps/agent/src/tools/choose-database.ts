import { AppError, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { ToolCall } from '#tools/tool';

/** Lists the databases that a tool can query. */
export async function listDatabases(ctx: Context, call: ToolCall) {
  return (await ctx.databases.listDatabases({ collectionIds: [] }, onBehalfOf(call))).databases;
}

/**
 * Returns the database with a connector id or name, or the only one. Chooses from the databases
 * that the caller can query, so that no other id is passed on. Throws `invalid_request` with their
 * names and ids.
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
  throw new AppError('invalid_request', describeFailure(wanted, fitting.length, known));
}

function describeFailure(wanted: string | undefined, count: number, known: string): string {
  if (wanted === undefined) return `Several databases are connected. Name one of: ${known}.`;
  if (count === 0) return `The database ${wanted} does not exist. Available: ${known}.`;
  return `Several databases have the name ${wanted}. Use the id of one of: ${known}.`;
}
