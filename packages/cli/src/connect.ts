import { Lectern } from '@lectern/sdk';
import type { Account } from '#account/account';
import { findAccount } from '#account/find-account';
import type { Shell } from '#command';

const TIMEOUT_MS = 120_000;
const MAX_RETRIES = 3;

/** Creates the API client of an account. Does not send a request. */
export function connect({ baseUrl, secretKey }: Account): Lectern {
  return new Lectern({ baseUrl, key: secretKey, timeoutMs: TIMEOUT_MS, maxRetries: MAX_RETRIES });
}

/** Creates the API client of the account that is logged in. Throws `CliError` if there is none. */
export const connectWithAccount = async ({ env }: Shell): Promise<Lectern> => connect(await findAccount(env));
