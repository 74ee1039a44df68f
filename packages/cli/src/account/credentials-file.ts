import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Account, accountSchema } from '#account/account';
import { CliError } from '#cli-error';
import { errorCode } from '#error-code';

/** Where the account is kept: below `XDG_CONFIG_HOME`, else `~/.config` (XDG Base Directory Specification: only absolute paths count). */
export function credentialsFile(env: NodeJS.ProcessEnv): string {
  const named = env.XDG_CONFIG_HOME ?? '';
  const config = isAbsolute(named) ? named : join(env.HOME ?? homedir(), '.config');
  return join(config, 'lectern', 'credentials.json');
}

/** Reads an account from a file, also from the one that a local Lectern writes. Undefined where there is no file. Throws `CliError`. */
export async function readAccount(file: string): Promise<Account | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new CliError(`${file} cannot be read.`, { code: 'credentials', cause: error });
  }
  try {
    return accountSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new CliError(`${file} holds no credentials of Lectern. Run: lectern login`, {
      code: 'credentials',
      cause: error,
    });
  }
}

/** Keeps the account, readable for this user alone (mode 0600), in one step. */
export async function writeAccount(file: string, account: Account): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CliError(`${file} cannot be written.`, { code: 'credentials', cause: error });
  }
}
