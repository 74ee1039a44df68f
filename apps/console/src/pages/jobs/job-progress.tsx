import type { SyncJob } from '#api/types.ts';
import { groupFailures } from '#pages/jobs/group-failures.ts';
import { paceOf } from '#pages/jobs/pace.ts';
import { t } from '#texts/texts.ts';
import { numberText } from '#ui/number-text.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const COUNTS = ['total', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed'] as const;

/** The progress, counts and errors of a job. */
export function JobProgress({ job }: { readonly job: SyncJob }) {
  const { total, indexed, skipped, failed } = job.progress;
  const done = indexed + skipped + failed;
  const isDone = job.status === 'completed' || job.status === 'completed_with_errors';
  const percent = total === 0 ? (isDone ? 100 : 0) : Math.min(100, Math.round((done / total) * 100));
  return (
    <section className="stack" aria-label={t('jobs.progress')}>
      <div className="row row-apart">
        <StatusBadge status={job.status} />
        <span className="muted">{t('jobs.percent', { percent })}</span>
      </div>
      <ProgressBar label={t('jobs.syncProgress')} percent={percent} />
      {job.queuedReason === undefined ? null : (
        <p className="muted">{t('jobs.queued', { reason: job.queuedReason.replaceAll('_', ' ') })}</p>
      )}
      <JobPace job={job} />
      <JobCounts job={job} />
      <JobErrors job={job} />
    </section>
  );
}

/** How fast a running job is, and how long it will take. */
function JobPace({ job }: { readonly job: SyncJob }) {
  const pace = paceOf(job);
  if (pace === undefined) return null;
  const parts = [
    t('jobs.perMinute', { count: pace.perMinute }),
    ...(pace.minutesLeft === undefined ? [] : [t('jobs.minutesLeft', { count: pace.minutesLeft })]),
  ];
  return <p className="muted small">{parts.join(' · ')}</p>;
}

/** The item counts of a job. */
export function JobCounts({ job }: { readonly job: SyncJob }) {
  return (
    <p className="counts muted small">
      {COUNTS.map((name) => (
        <span key={name}>
          {t(`jobs.counts.${name}`)} <strong>{numberText(job.progress[name])}</strong>
        </span>
      ))}
    </p>
  );
}

/** The errors of a job, grouped by their reason. */
export function JobErrors({ job }: { readonly job: SyncJob }) {
  if (job.errors.length === 0) return null;
  return (
    <div className="notice notice-error">
      <ul>
        {groupFailures(job.errors).map(({ code, message, paths }) => (
          <li key={`${code} ${message}`}>
            {paths.length === 0 ? null : (
              <strong>{paths.length === 1 ? paths[0] : t('jobs.files', { count: paths.length })}: </strong>
            )}
            {message} <code>{code}</code>
            {paths.length < 2 ? null : (
              <details>
                <summary>{t('jobs.showFiles')}</summary>
                <ul>
                  {[...new Set(paths)].map((path) => (
                    <li key={path}>{path}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
