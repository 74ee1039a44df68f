import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { toError } from '#api/to-error.ts';
import type { SyncJob } from '#api/types.ts';

/** The queries that a job affects. */
const AFFECTED = ['connectors', 'collections', 'documents', 'files', 'search', 'jobs'];

const ACTIVE: readonly string[] = ['queued', 'running'];

export const isActive = (job: SyncJob): boolean => ACTIVE.includes(job.status);

/** Streams the progress of a job and refetches the affected queries at its end. */
export function useJob(
  connectorId: string,
  jobId: string | undefined,
): { job: SyncJob | undefined; error: Error | undefined } {
  const queryClient = useQueryClient();
  const [job, setJob] = useState<SyncJob>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (jobId === undefined) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    setError(undefined);
    setJob(undefined);
    async function follow(id: string) {
      for await (const { data } of lectern().sync.watch(connectorId, id, { signal })) setJob(data);
    }
    follow(jobId)
      .catch((thrown: unknown) => {
        if (!signal.aborted) setError(toError(thrown));
      })
      .finally(() => {
        if (signal.aborted) return;
        for (const name of AFFECTED) void queryClient.invalidateQueries({ queryKey: [name] });
      });
    return () => aborter.abort();
  }, [connectorId, jobId, queryClient]);
  return { job, error };
}
