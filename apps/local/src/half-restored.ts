import { existsSync } from 'node:fs';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';

/** Throws a `LauncherError` while a restore is at work in a home, or was killed there: half of a backup would start as if it were all. */
export function refuseHalfRestored(home: Home): void {
  if (!existsSync(home.restoring)) return;
  throw new LauncherError(
    `${home.root} holds a part of a backup: a restore is at work there, or was broken off. Wait for it, or run \`npm run restore -- --from PATH\` again, which clears the folder first and begins anew. To start with nothing, remove the folder.`,
  );
}
