import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Connector } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { JobProgress } from '#pages/jobs/job-progress.tsx';
import { isActive, useJob } from '#pages/jobs/use-job.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextArea } from '#ui/field.tsx';
import { linesOf } from '#ui/lines-of.ts';

const MODES = [
  { value: 'auto', label: 'Changes only' },
  { value: 'full', label: 'Everything' },
  { value: 'incremental', label: 'Selected files' },
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
  const permissions = useChange(() => lectern().sync.refreshPermissions(id), ['jobs']);
  const cancel = useChange((jobId: string) => lectern().sync.cancel(id, jobId), ['jobs']);
  const last = newest.data ?? undefined;
  // The live job, or the loaded one if it has already ended.
  const { job: live, error } = useJob(id, last && isActive(last) ? last.jobId : undefined);
  const job = live?.jobId === last?.jobId ? (live ?? last) : last;
  const isRunning = job !== undefined && isActive(job);
  const awaitsConfirmation = job?.errors.some(({ code }) => code === 'deletion_held') ?? false;
  const failure = newest.error ?? sync.error ?? permissions.error ?? cancel.error ?? error;

  return (
    <section className="card stack" aria-label="Sync">
      <div className="form-grid">
        <SelectField
          label="Sync"
          value={mode}
          options={MODES}
          onChange={(chosen) => setMode(MODES.find(({ value }) => value === chosen)?.value ?? 'auto')}
        />
        {mode === 'incremental' ? (
          <TextArea
            label="Files"
            value={files}
            onChange={setFiles}
            rows={3}
            hint="Paths in the source, one per line."
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
          Sync now
        </Button>
        {isRunning ? (
          <Button isDanger isBusy={cancel.isPending} onClick={() => cancel.mutate(job.jobId)}>
            Cancel sync
          </Button>
        ) : null}
        <Button isBusy={permissions.isPending} disabled={isRunning} onClick={() => permissions.mutate()}>
          Refresh permissions
        </Button>
        {awaitsConfirmation ? (
          <Confirm
            label="Confirm deletions"
            question="Delete documents that are no longer in the source?"
            done="The sync started. It deletes the missing documents."
            mutation={confirmed}
          >
            <p>
              In the last sync, most documents of this connector were missing from the source, so Lectern kept them.
              Confirm to sync again and delete them. This cannot be undone.
            </p>
          </Confirm>
        ) : null}
      </div>
      {permissions.data ? (
        <p className="muted" role="status">
          {permissions.data.applicable
            ? 'Refreshing permissions…'
            : 'This source has no permissions. The connector settings define who can read its documents.'}
        </p>
      ) : null}
      {failure ? <ErrorNotice error={failure} /> : null}
      {job ? <JobProgress job={job} /> : null}
    </section>
  );
}
