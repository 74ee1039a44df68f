import { text } from 'node:stream/consumers';
import { type Account, accountSchema } from '#account/account';
import { credentialsFile, readAccount, writeAccount } from '#account/credentials-file';
import { CliError, usageError } from '#cli-error';
import type { Arguments, Command, Shell } from '#command';
import { connect } from '#connect';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { readLine } from '#read-line';

const DEFAULT_URL = 'http://localhost:8080';

/** The key is never an argument: other users can see arguments, and the shell's history stores them. */
async function readCredentials(args: Arguments, { env, stdin, signal }: Shell): Promise<Account> {
  const file = args.text('credentials');
  if (file !== undefined) {
    const account = await readAccount(file);
    if (account === undefined) throw usageError(`The file ${file} does not exist.`);
    return account;
  }
  const ask = (question: string, isSecret: boolean) => readLine(question, stdin, { isSecret, signal });
  const url = args.text('url') ?? env.LECTERN_URL;
  const baseUrl = url ?? (stdin.isTTY ? (await ask(`URL [${DEFAULT_URL}]: `, false)) || DEFAULT_URL : DEFAULT_URL);
  const readKey = () => (stdin.isTTY ? ask('Secret key: ', true) : text(stdin));
  const secretKey = (env.LECTERN_KEY ?? (await readKey())).trim();
  const parsed = accountSchema.safeParse({ baseUrl, secretKey });
  if (parsed.success) return parsed.data;
  throw usageError('Enter an http or https URL and a secret key.');
}

export const login: Command = {
  name: 'login',
  summary: 'Save the URL and a secret key for later commands',
  options: [
    { syntax: '--url <url>', description: 'the URL of the Lectern server; prompts if omitted' },
    {
      syntax: '--credentials <file>',
      description: 'read the URL and key from the file of a local Lectern (.lectern/credentials.json)',
    },
  ],
  run: async (args, shell) => {
    const account = await readCredentials(args, shell);
    const key = await connect(account).keys.own({ signal: shell.signal });
    if (key.kind !== 'secret') {
      throw new CliError('This is a publishable key, which can only search. Log in with the secret key.', {
        exitCode: EXIT.denied,
        code: 'forbidden',
      });
    }
    const file = credentialsFile(shell.env);
    await writeAccount(file, account);
    shell.output.line(
      `Logged in to ${account.baseUrl} with the key ${oneLine(key.name)} (team ${key.teamId}). Saved to ${file}.`,
    );
    shell.output.json({ baseUrl: account.baseUrl, teamId: key.teamId, key: key.name, file });
    return EXIT.ok;
  },
};
