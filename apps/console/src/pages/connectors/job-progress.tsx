import type { SyncJob } from '#api/types.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const COUNTS = ['total', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed'] as const;

/** How far a job is, in a bar and in numbers, and what went wrong so far. */
export function JobProgress({ job }: { readonly job: SyncJob }) {
  const { total, indexed, skipped, failed } = job.progress;
  const done = indexed + skipped + failed;
  const isDone = job.status === 'completed' || job.status === 'completed_with_errors';
  const percent = total === 0 ? (isDone ? 100 : 0) : Math.min(100, Math.round((done / total) * 100));
  return (
    <section className="stack" aria-label="Progress of the job">
      <div className="row row-apart">
        <StatusBadge status={job.status} />
        <span className="muted">{percent} %</span>
      </div>
      <ProgressBar label="Part of the items that is done" percent={percent} />
      {job.queuedReason === undefined ? null : <p className="muted">Waits: {job.queuedReason.replaceAll('_', ' ')}</p>}
      <JobCounts job={job} />
      <JobErrors job={job} />
    </section>
  );
}

/** How many items of a job have come how far. */
export function JobCounts({ job }: { readonly job: SyncJob }) {
  return (
    <p className="counts muted small">
      {COUNTS.map((name) => (
        <span key={name}>
          {name} <strong>{job.progress[name].toLocaleString()}</strong>
        </span>
      ))}
    </p>
  );
}

/** The errors of a job, each with what it befell. */
export function JobErrors({ job }: { readonly job: SyncJob }) {
  if (job.errors.length === 0) return null;
  return (
    <div className="notice notice-error">
      <ul>
        {job.errors.map(({ path, code, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, and a path may fail twice.
          <li key={index}>
            {path === '' ? null : <strong>{path}: </strong>}
            {message} <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
