import { text } from 'node:stream/consumers';
import { type Account, accountSchema } from '#account/account';
import { credentialsFile, readAccount, writeAccount } from '#account/credentials-file';
import { createApi } from '#api/api';
import { ownKey } from '#api/records';
import { CliError, usageError } from '#cli-error';
import type { Arguments, Command, Shell } from '#command';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { readLine } from '#read-line';

const DEFAULT_URL = 'http://localhost:8080';

/** The key is never an argument: those are seen by every user of the machine, and kept in the shell's history. */
async function askFor(args: Arguments, { env, stdin, signal }: Shell): Promise<Account> {
  const file = args.text('credentials');
  if (file !== undefined) {
    const account = await readAccount(file);
    if (account === undefined) throw usageError(`There is no file ${file}.`);
    return account;
  }
  const ask = (question: string, isSecret: boolean) => readLine(question, stdin, { isSecret, signal });
  const given = args.text('url') ?? env.LECTERN_URL;
  const baseUrl =
    given ?? (stdin.isTTY ? (await ask(`Address [${DEFAULT_URL}]: `, false)) || DEFAULT_URL : DEFAULT_URL);
  const typed = () => (stdin.isTTY ? ask('Secret key: ', true) : text(stdin));
  const secretKey = (env.LECTERN_KEY ?? (await typed())).trim();
  const parsed = accountSchema.safeParse({ baseUrl, secretKey });
  if (parsed.success) return parsed.data;
  throw usageError('An http or https address and a secret key are needed.');
}

export const login: Command = {
  name: 'login',
  summary: 'Keep the address and a secret key for later commands',
  usage: '[--url URL] [--credentials FILE]',
  options: { url: { type: 'string' }, credentials: { type: 'string' } },
  help: [
    ['--url URL', 'where Lectern is; asked for where it is left out'],
    ['--credentials FILE', 'take both from the file that a local Lectern wrote (.lectern/credentials.json)'],
  ],
  run: async (args, shell) => {
    const account = await askFor(args, shell);
    const key = await createApi(account, shell.signal).call('GET', '/api/v1/key', ownKey);
    if (key.kind !== 'secret') {
      throw new CliError('This is a publishable key, which may only search. Log in with the secret key.', {
        exitCode: EXIT.denied,
        code: 'forbidden',
      });
    }
    const file = credentialsFile(shell.env);
    await writeAccount(file, account);
    shell.output.line(`Logged in to ${account.baseUrl} as ${oneLine(key.name)} of ${key.teamId}. Kept in ${file}.`);
    shell.output.json({ baseUrl: account.baseUrl, teamId: key.teamId, key: key.name, file });
    return EXIT.ok;
  },
};
