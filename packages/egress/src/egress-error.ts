/** A request or connection that the egress guard blocks, with a message that a person can act on. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}

/** Returns the guard's error in the causes of an error. Clients and SDKs wrap it. */
export function egressErrorIn(error: unknown): EgressError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof EgressError) return cause;
  return undefined;
}
