/** The variable settings. */
export type SettingsOptions = {
  readonly port: number;
  readonly durable: boolean;
  /** The size of the page cache. The default leaves the memory of a small machine to other processes and its file cache. */
  readonly sharedBuffers?: string | undefined;
};

/** Returns settings for one small machine. `durable: false` is for tests: faster, but a power cut loses data. */
export function postgresSettings({ port, durable, sharedBuffers }: SettingsOptions): Readonly<Record<string, string>> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket in /tmp: the TCP port with a password is the only access.
    unix_socket_directories: '',
    max_connections: durable ? '200' : '500',
    shared_buffers: sharedBuffers ?? '32MB',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The queries are short: just-in-time compilation takes longer than it saves.
    jit: 'off',
    // PostgreSQL 18 reads with worker processes by default. Reading in the backend saves their memory.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // Syncs the file system before recovery with one call instead of one call per file.
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
