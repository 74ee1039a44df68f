import { type Account, accountSchema } from '#account/account';
import { credentialsFile, readAccount } from '#account/credentials-file';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';

/**
 * The account to use: `LECTERN_URL` and `LECTERN_KEY` before what `lectern login` kept. A key from the environment is never sent to an
 * address from the file, nor the other way round. Throws `CliError`.
 */
export async function findAccount(env: NodeJS.ProcessEnv): Promise<Account> {
  const { LECTERN_URL: baseUrl, LECTERN_KEY: secretKey } = env;
  if (baseUrl || secretKey) {
    const parsed = accountSchema.safeParse({ baseUrl, secretKey });
    if (parsed.success) return parsed.data;
    throw new CliError('LECTERN_URL (an http or https address) and LECTERN_KEY must be set together.', {
      exitCode: EXIT.usage,
      code: 'usage',
    });
  }
  const account = await readAccount(credentialsFile(env));
  if (account !== undefined) return account;
  throw new CliError('You are not logged in. Run: lectern login — or set LECTERN_URL and LECTERN_KEY.', {
    exitCode: EXIT.denied,
    code: 'unauthorized',
  });
}
