import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callPage } from '#api/request.ts';
import type { Connector, SyncJob } from '#api/types.ts';
import { JobProgress } from '#pages/connectors/job-progress.tsx';
import { isActive, useJob } from '#pages/connectors/use-job.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextArea } from '#ui/field.tsx';
import { linesOf } from '#ui/lines-of.ts';

const MODES = [
  { value: 'auto', label: 'What has changed' },
  { value: 'full', label: 'Everything anew' },
  { value: 'incremental', label: 'These files only' },
];

/** Begins syncs, and shows the one that is at work. */
export function SyncPanel({ connector }: { readonly connector: Connector }) {
  const queryClient = useQueryClient();
  const [mode, setMode] = useState('auto');
  const [files, setFiles] = useState('');
  const path = `/api/v1/connectors/${connector.id}`;
  const newest = useQuery({
    queryKey: ['jobs', connector.id, 'newest'],
    queryFn: ({ signal }) => callPage<readonly SyncJob[]>('GET', `${path}/sync`, { query: { limit: 1 }, signal }),
  });
  const sync = useMutation({
    mutationFn: (isConfirmed: boolean) =>
      call<SyncJob>('POST', `${path}/sync`, {
        body: {
          sync_mode: mode,
          ...(mode === 'incremental' ? { file_filter: linesOf(files) } : {}),
          ...(isConfirmed ? { confirm_deletions: true } : {}),
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['connectors'] }),
  });
  const permissions = useMutation({
    mutationFn: () =>
      call<{ readonly jobId: string; readonly applicable: boolean }>('POST', `${path}/refresh-permissions`),
  });
  const cancel = useMutation({ mutationFn: (jobId: string) => call('DELETE', `${path}/sync/${jobId}`) });
  const running = newest.data?.items.find(isActive)?.jobId;
  // What was begun here last, else what was found at work.
  const { job, error } = useJob(connector.id, sync.data?.jobId ?? running);
  const isHeld = job?.errors.some(({ code }) => code === 'deletion_held') ?? false;
  const failure = sync.error ?? permissions.error ?? cancel.error ?? error;

  return (
    <section className="card stack" aria-label="Sync">
      <div className="form-grid">
        <SelectField label="Sync" value={mode} options={MODES} onChange={setMode} />
        {mode === 'incremental' ? (
          <TextArea
            label="Files"
            value={files}
            onChange={setFiles}
            rows={3}
            hint="Paths as the source names them, one a line."
          />
        ) : null}
      </div>
      <div className="row">
        <Button
          isPrimary
          isBusy={sync.isPending}
          disabled={connector.status === 'pending_auth' || (job !== undefined && isActive(job))}
          onClick={() => sync.mutate(false)}
        >
          Sync now
        </Button>
        {job && isActive(job) ? (
          <Button isDanger isBusy={cancel.isPending} onClick={() => cancel.mutate(job.jobId)}>
            Cancel
          </Button>
        ) : null}
        <Button isBusy={permissions.isPending} onClick={() => permissions.mutate()}>
          Read permissions again
        </Button>
        {isHeld ? (
          <Button isDanger isBusy={sync.isPending} onClick={() => sync.mutate(true)}>
            Sync and carry the deletions out
          </Button>
        ) : null}
      </div>
      {permissions.data ? (
        <p className="muted" role="status">
          {permissions.data.applicable
            ? 'Permissions are being read.'
            : 'This source has no permissions of its own: the settings say who may read.'}
        </p>
      ) : null}
      {failure ? <ErrorNotice error={failure} /> : null}
      {job ? <JobProgress job={job} /> : null}
    </section>
  );
}
