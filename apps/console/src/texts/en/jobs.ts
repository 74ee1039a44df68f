export const jobs = {
  progress: 'Job progress',
  syncProgress: 'Sync progress',
  percent: '{{percent}}%',
  queued: 'Queued: {{reason}}',
  kinds: { sync: 'sync', permissions: 'permissions' },
  modes: { auto: 'auto', full: 'full', incremental: 'incremental' },
  counts: {
    total: 'total',
    collected: 'collected',
    parsed: 'parsed',
    indexed: 'indexed',
    skipped: 'skipped',
    deleted: 'deleted',
    failed: 'failed',
  },
} as const;
