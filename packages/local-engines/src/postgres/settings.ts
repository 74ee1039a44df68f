/** What the server's settings depend on. */
export type SettingsOptions = { readonly port: number; readonly durable: boolean };

/** Settings for one small machine; `durable: false` trades safety in a power cut for the speed tests want. */
export function postgresSettings({ port, durable }: SettingsOptions): Readonly<Record<string, string>> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket in /tmp: the password guards the one door.
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: durable ? '128MB' : '32MB',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Short queries: compiling them costs more than it saves.
    jit: 'off',
    // PostgreSQL 18 keeps worker processes for reads by default; in-process reads spare their memory.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // After a crash all data goes to the disk before recovery begins: by one call in place of one for each of a thousand files.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...(durable ? {} : FOR_TESTS),
  };
}

const FOR_TESTS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
};
