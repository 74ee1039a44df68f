import { signIn } from '@lectern/local-engines';
import { LauncherError, messageOf } from '#launcher-error';

/** Checks that Lectern can log in to an external database. Throws a `LauncherError` without the password. */
export async function requireDatabase(url: string, setting = 'DATABASE_URL'): Promise<void> {
  try {
    await signIn(url);
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new LauncherError(
      `Lectern cannot use ${setting}: PostgreSQL at ${host}${pathname} reports "${messageOf(error)}". Correct the user, the password or the database in the URL.`,
      { cause: error },
    );
  }
}
