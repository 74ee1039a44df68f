export { findFreePort } from '#find-free-port';
export { type EnsureNatsServerOptions, ensureNatsServer } from '#nats/ensure-nats-server';
export { natsUserUrl, type StartNatsOptions, startNats } from '#nats/start-nats';
export { authorization, NATS_PERMISSIONS, type NatsUser } from '#nats/users';
export type { PortChoice } from '#on-free-port';
export { backUpPostgres, type PostgresBackupOptions } from '#postgres/backup/back-up-postgres';
export { type Copied, copyFiles } from '#postgres/backup/copy-files';
export { type PostgresRestoreOptions, restorePostgres } from '#postgres/backup/restore-postgres';
export { abandonedLocations, removePostgres, removeWithData } from '#postgres/data-location';
export { createDatabase, dropDatabase, oldestTransaction, signIn, withDatabase } from '#postgres/databases';
export { ensureServiceRoles, type RolePasswords, serviceRoleUrl } from '#postgres/service-roles';
export { type StartPostgresOptions, startPostgres } from '#postgres/start-postgres';
export { ALLOCATOR_ENV } from '#process/allocator';
export { EngineError } from '#process/engine-error';
export {
  describeExit,
  type ManagedProcess,
  type ProcessExit,
  type ProcessOptions,
  type Running,
} from '#process/managed-process';
export { claimPidFile, type LeftoverPolicy, type PidFileClaim } from '#process/pid-file';
export { type RunOptions, runToEnd } from '#process/run-to-end';
export { startProcess } from '#process/start-process';
export { type Supervised, type SuperviseOptions, supervise } from '#process/supervise';
export { untilOk } from '#process/until-ok';
export { type WaitOptions, waitUntil } from '#process/wait-until';
export { type StartQdrantLocalOptions, startQdrantLocal } from '#qdrant/start-qdrant-local';
export type { Engine } from '#start-engine';
