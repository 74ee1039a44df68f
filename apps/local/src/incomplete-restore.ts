import { existsSync } from 'node:fs';
import { commandLine } from '#command-line';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';

/** Throws a `LauncherError` if a restore into the home is running or was interrupted. */
export function rejectIncompleteRestore(home: Home): void {
  if (!existsSync(home.restoring)) return;
  throw new LauncherError(
    `${home.root} contains an incomplete restore: it is still running, or it was interrupted. Wait for it to finish, or run \`${commandLine('restore', '--from PATH')}\` again, which clears the folder first. To start without data, remove the folder.`,
  );
}
