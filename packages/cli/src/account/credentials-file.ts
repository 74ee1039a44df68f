import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Account, accountSchema } from '#account/account';
import { CliError } from '#cli-error';
import { errorCode } from '#error-code';

/** Returns the path of the saved account, in `XDG_CONFIG_HOME` if that is absolute, else in `~/.config`. */
export function credentialsFile(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME ?? '';
  const config = isAbsolute(folder) ? folder : join(env.HOME ?? homedir(), '.config');
  return join(config, 'lectern', 'credentials.json');
}

/**
 * Reads an account from the CLI's file or from the credentials file of a local Lectern. Returns
 * undefined if the file does not exist. Throws `CliError`.
 */
export async function readAccount(file: string): Promise<Account | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new CliError(`Cannot read ${file}. Check its permissions.`, { code: 'credentials', cause: error });
  }
  try {
    return accountSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new CliError(`${file} does not contain Lectern credentials. Run: lectern login`, {
      code: 'credentials',
      cause: error,
    });
  }
}

/** Saves the account atomically, readable only by this user (mode 0600). Throws `CliError`. */
export async function writeAccount(file: string, account: Account): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CliError(`Cannot write ${file}. Check the permissions of its folder.`, {
      code: 'credentials',
      cause: error,
    });
  }
}
