/** Why a query was not run or not finished, in words for whoever wrote it (a model too), who can mend it. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}
