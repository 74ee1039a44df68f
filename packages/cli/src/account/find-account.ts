import { type Account, accountSchema } from '#account/account';
import { credentialsFile, readAccount } from '#account/credentials-file';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';

/**
 * Returns the account from `LECTERN_URL` and `LECTERN_KEY`, or else the saved one. The two are never
 * mixed: a key from the environment is not sent to a URL from the file. Throws `CliError`.
 */
export async function findAccount(env: NodeJS.ProcessEnv): Promise<Account> {
  const { LECTERN_URL: baseUrl, LECTERN_KEY: secretKey } = env;
  if (baseUrl || secretKey) {
    const parsed = accountSchema.safeParse({ baseUrl, secretKey });
    if (parsed.success) return parsed.data;
    throw new CliError(
      'Only one of LECTERN_URL and LECTERN_KEY is set, or one is invalid. Set both (the URL with http or https), or neither.',
      { exitCode: EXIT.usage, code: 'usage' },
    );
  }
  const account = await readAccount(credentialsFile(env));
  if (account !== undefined) return account;
  throw new CliError('Not logged in. Run lectern login, or set LECTERN_URL and LECTERN_KEY.', {
    exitCode: EXIT.denied,
    code: 'unauthorized',
  });
}
