import { join } from 'node:path';

/** The paths in LECTERN_HOME. The README lists them too. */
export interface Home {
  readonly root: string;
  /** The address, the team and the first pair of keys. Mode 0600. */
  readonly credentials: string;
  /** The lock. Names the launcher that uses the home. */
  readonly lock: string;
  /** The running processes and their addresses; exists only while Lectern runs. Mode 0600. */
  readonly state: string;
  /** The keys that encrypt connector credentials (`LECTERN_MASTER_KEYS`). Mode 0600. */
  readonly masterKeys: string;
  /** The key from which `secrets.ts` derives the secrets between the services. Mode 0600. */
  readonly installationKey: string;
  /** The unpacked backup during a restore. Its existence marks an incomplete restore. */
  readonly restoring: string;
  readonly postgres: string;
  readonly nats: string;
  readonly qdrant: string;
  readonly blobs: string;
  /** Downloaded models and the packages that run them. */
  readonly models: string;
  /** The downloaded nats-server. */
  readonly programs: string;
  /** Compiled code and bundles; can be removed while Lectern is stopped. */
  readonly cache: string;
  readonly logs: string;
  log(part: string): string;
  pidFile(service: string): string;
}

/** Returns the paths in a home. Does not access the file system. */
export function homeAt(root: string): Home {
  return {
    root,
    credentials: join(root, 'credentials.json'),
    lock: join(root, 'launcher.pid.json'),
    state: join(root, 'state.json'),
    masterKeys: join(root, 'master-keys'),
    installationKey: join(root, 'installation-key'),
    restoring: join(root, 'restoring'),
    postgres: join(root, 'postgres'),
    nats: join(root, 'nats'),
    qdrant: join(root, 'qdrant'),
    blobs: join(root, 'blobs'),
    models: join(root, 'models'),
    programs: join(root, 'bin'),
    cache: join(root, 'cache'),
    logs: join(root, 'logs'),
    log: (part) => join(root, 'logs', `${part}.log`),
    pidFile: (service) => join(root, 'run', `${service}.pid.json`),
  };
}
