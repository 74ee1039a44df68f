import { join } from 'node:path';

/** Where each thing lies in LECTERN_HOME; the README shows the same as a picture. */
export interface Home {
  readonly root: string;
  /** The address, team and keys of the first pair, for programs and people. Mode 0600. */
  readonly credentials: string;
  /** Says which launcher this home belongs to at the moment. */
  readonly lock: string;
  /** What runs and where; there only while something runs. Mode 0600. */
  readonly state: string;
  /** What credentials are sealed with (`LECTERN_MASTER_KEYS`). Mode 0600. */
  readonly masterKeys: string;
  /** The source of the secrets between the services (`secrets.ts`). Mode 0600. */
  readonly installationKey: string;
  /** What a restore unpacks; there from its first step to its last, so that half of a backup is known as such. */
  readonly restoring: string;
  readonly postgres: string;
  readonly nats: string;
  readonly qdrant: string;
  readonly blobs: string;
  /** A nats-server that was fetched. */
  readonly programs: string;
  /** Compiled code; may be removed at any time. */
  readonly cache: string;
  readonly logs: string;
  log(part: string): string;
  pidFile(service: string): string;
}

/** The paths inside a home; touches nothing. */
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
    programs: join(root, 'bin'),
    cache: join(root, 'cache'),
    logs: join(root, 'logs'),
    log: (part) => join(root, 'logs', `${part}.log`),
    pidFile: (service) => join(root, 'run', `${service}.pid.json`),
  };
}
