import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Connector } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { readFailedIds } from '#pages/connectors/read-failed-ids.ts';
import { JobProgress } from '#pages/jobs/job-progress.tsx';
import { isActive, useJob } from '#pages/jobs/use-job.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextArea } from '#ui/field.tsx';
import { linesOf } from '#ui/lines-of.ts';

const MODES = [
  { value: 'auto', label: t('connectors.sync.modes.auto') },
  { value: 'full', label: t('connectors.sync.modes.full') },
  { value: 'incremental', label: t('connectors.sync.modes.incremental') },
] as const;
type Mode = (typeof MODES)[number]['value'];

/** Starts syncs and shows the current or last job. */
export function SyncPanel({ connector: { id, status } }: { readonly connector: Connector }) {
  const [mode, setMode] = useState<Mode>('auto');
  const [files, setFiles] = useState('');
  const newest = useQuery({
    queryKey: ['jobs', id, 'newest'],
    // Null instead of undefined: TanStack Query treats undefined as a failure.
    queryFn: async ({ signal }) => (await lectern().sync.list(id, { limit: 1 }, { signal })).items.at(0) ?? null,
  });
  const sync = useChange(
    () =>
      lectern().sync.start(id, {
        sync_mode: mode,
        ...(mode === 'incremental' ? { file_filter: linesOf(files) } : {}),
      }),
    ['connectors', 'jobs'],
  );
  const confirmed = useChange(() => lectern().sync.start(id, { confirm_deletions: true }), ['connectors', 'jobs']);
  const retry = useChange(async () => {
    const ids = await readFailedIds(id);
    // Files that were never fetched have no documents. A sync of changes tries them again.
    return lectern().sync.start(id, ids.length === 0 ? {} : { sync_mode: 'incremental', file_filter: ids });
  }, ['connectors', 'jobs']);
  const permissions = useChange(() => lectern().sync.refreshPermissions(id), ['jobs']);
  const cancel = useChange((jobId: string) => lectern().sync.cancel(id, jobId), ['jobs']);
  const last = newest.data ?? undefined;
  // The live job, or the loaded one if it has already ended.
  const { job: live, error } = useJob(id, last && isActive(last) ? last.jobId : undefined);
  const job = live?.jobId === last?.jobId ? (live ?? last) : last;
  const isRunning = job !== undefined && isActive(job);
  const awaitsConfirmation = job?.errors.some(({ code }) => code === 'deletion_held') ?? false;
  const failure = newest.error ?? sync.error ?? retry.error ?? permissions.error ?? cancel.error ?? error;

  return (
    <section className="card stack" aria-label={t('connectors.sync.title')}>
      <div className="form-grid">
        <SelectField
          label={t('connectors.sync.title')}
          value={mode}
          options={MODES}
          onChange={(chosen) => setMode(MODES.find(({ value }) => value === chosen)?.value ?? 'auto')}
        />
        {mode === 'incremental' ? (
          <TextArea
            label={t('connectors.sync.files')}
            value={files}
            onChange={setFiles}
            rows={3}
            hint={t('connectors.sync.filesHint')}
          />
        ) : null}
      </div>
      <div className="row">
        <Button
          isPrimary
          isBusy={sync.isPending}
          disabled={status === 'pending_auth' || isRunning}
          onClick={() => sync.mutate()}
        >
          {t('connectors.sync.start')}
        </Button>
        {isRunning ? (
          <Button isDanger isBusy={cancel.isPending} onClick={() => cancel.mutate(job.jobId)}>
            {t('connectors.sync.cancel')}
          </Button>
        ) : null}
        {job !== undefined && !isRunning && job.progress.failed > 0 ? (
          <Button isBusy={retry.isPending} disabled={status === 'pending_auth'} onClick={() => retry.mutate()}>
            {t('connectors.sync.retryFailed')}
          </Button>
        ) : null}
        <Button isBusy={permissions.isPending} disabled={isRunning} onClick={() => permissions.mutate()}>
          {t('connectors.sync.refreshPermissions')}
        </Button>
        {awaitsConfirmation ? (
          <Confirm
            label={t('connectors.sync.confirmDeletions')}
            question={t('connectors.sync.deletionsQuestion')}
            done={t('connectors.sync.deletionsStarted')}
            mutation={confirmed}
          >
            <p>{t('connectors.sync.deletionsHint')}</p>
          </Confirm>
        ) : null}
      </div>
      {permissions.data ? (
        <p className="muted" role="status">
          {t(permissions.data.applicable ? 'connectors.sync.refreshing' : 'connectors.sync.noPermissions')}
        </p>
      ) : null}
      {failure ? <ErrorNotice error={failure} /> : null}
      {job ? <JobProgress job={job} /> : null}
    </section>
  );
}
