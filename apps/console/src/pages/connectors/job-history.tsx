import { lectern } from '#api/lectern.ts';
import type { SyncJob } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { JobCounts, JobErrors } from '#pages/jobs/job-progress.tsx';
import { isActive } from '#pages/jobs/use-job.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const REFRESH_MS = 4_000;

function durationText({ startedAt, completedAt }: SyncJob): string {
  if (startedAt === null || completedAt === null) return '';
  return ` · ${t('connectors.history.took', { seconds: (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000 })}`;
}

/** The jobs of a connector, newest first. */
export function JobHistory({ connectorId }: { readonly connectorId: string }) {
  const paging = usePaged(
    ['jobs', connectorId],
    (page, options) => lectern().sync.list(connectorId, { page, limit: 10 }, options),
    { refresh: { everyMs: REFRESH_MS, while: (items) => items.some(isActive) } },
  );
  return (
    <Listing
      paging={paging}
      what={t('connectors.what.jobs')}
      empty={
        <Empty title={t('connectors.history.none')}>
          <p>{t('connectors.history.noneHint')}</p>
        </Empty>
      }
    >
      {(items) => (
        <ul className="plain-list">
          {items.map((job) => (
            <li key={job.jobId} className="card stack">
              <p className="row">
                <StatusBadge status={job.status} />
                <span>
                  {t(`jobs.kinds.${job.kind}`, { defaultValue: job.kind })} (
                  {t(`jobs.modes.${job.mode}`, { defaultValue: job.mode })})
                </span>
                <span className="muted small">
                  <Ago time={job.startedAt} />
                  {durationText(job)}
                </span>
              </p>
              <JobCounts job={job} />
              <JobErrors job={job} />
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}
