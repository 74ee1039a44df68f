import type { Client } from '../client.ts';
import type { Body, CallOptions } from '../types.ts';

/** Tokens for the web pages of one user each. */
export const createUserTokens = (client: Client) => ({
  /**
   * Creates a token with a secret key. A web page then uses it as its `key`. Create a new one before
   * it expires.
   */
  create: (body: Body<'createUserToken'>, options?: CallOptions) => client.call('createUserToken', { body }, options),
});
