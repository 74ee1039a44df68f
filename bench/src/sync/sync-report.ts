import { mebibytes, seconds } from '#report/format';
import { table } from '#report/table';
import type { SyncResult } from '#sync/measure-sync';

/** Renders the results as Markdown. */
export function writeSyncReport({ documents, syncs, peak, killed, stored }: SyncResult): string {
  const jobs = syncs.map(({ name, job, ms, requests }) => {
    const { total, indexed, skipped, deleted, failed } = job.progress;
    const requestCounts = Object.entries(requests).map(([kind, count]) => `${kind} ${count}`);
    return [
      name,
      job.status,
      seconds(ms),
      `${total}/${indexed}/${skipped}/${deleted}/${failed}`,
      requestCounts.join(', '),
    ];
  });
  const parts = Object.keys(peak).sort();
  const costs = parts.map((part) => [
    part,
    mebibytes(peak[part] ?? 0),
    ...syncs.map(({ cpuMs, job }) => {
      const ms = cpuMs[part] ?? 0;
      return `${seconds(ms)} (${(ms / Math.max(1, job.progress.indexed)).toFixed(2)} ms)`;
    }),
  ]);
  return [
    `${documents} documents from S3${killed.length === 0 ? '' : `; killed: ${killed.join(', ')}`}`,
    table(['sync', 'status', 'time', 'total/indexed/skipped/deleted/failed', 'requests'], jobs),
    table(['part', 'highest RSS', ...syncs.map(({ name }) => `CPU ${name} (per indexed document)`)], costs),
    `Stored: ${stored.documents} documents, ${stored.passages} passages in rows, ${stored.points} points.`,
  ].join('\n\n');
}
