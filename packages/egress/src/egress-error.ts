/** A request or connection that the egress guard blocks, with a message that a person can act on. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}
