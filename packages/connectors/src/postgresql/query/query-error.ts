/**
 * Why a query was rejected or failed, with a message for its author (a person or a model), who can
 * fix it.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}
