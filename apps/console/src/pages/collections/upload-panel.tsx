import * as Progress from '@radix-ui/react-progress';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import type { CollectionRecord } from '#api/types.ts';
import { uploadFiles } from '#api/upload.ts';
import { uploadConnector } from '#pages/collections/upload-connector.ts';
import { JobProgress } from '#pages/connectors/job-progress.tsx';
import { useJob } from '#pages/connectors/use-job.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { sizeText } from '#ui/size-text.ts';

/** Takes files into a collection and shows how they are indexed. */
export function UploadPanel({ collection }: { readonly collection: CollectionRecord }) {
  const [sent, setSent] = useState(0);
  const [isOver, setIsOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      setSent(0);
      const connectorId = await uploadConnector(collection);
      return { connectorId, ...(await uploadFiles(connectorId, chosen, setSent)) };
    },
  });
  const { job, error } = useJob(upload.data?.connectorId ?? '', upload.data?.jobId);

  function take(list: FileList | null) {
    const chosen = [...(list ?? [])];
    if (chosen.length > 0) upload.mutate(chosen);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  }
  const chosen = upload.variables ?? [];
  const sizeBytes = chosen.reduce((sum, { size }) => sum + size, 0);

  return (
    <section className="stack" aria-label="Upload">
      {/* Dropping is an extra for the mouse: the buttons do the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above. */}
      <div
        className={`drop ${isOver ? 'drop-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <p>Drop files here: text, Markdown, HTML, PDF, Office documents, CSV, JSON, e-mails.</p>
        <div className="row">
          <Button isPrimary isBusy={upload.isPending} onClick={() => files.current?.click()}>
            Choose files
          </Button>
          <Button disabled={upload.isPending} onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
        </div>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={(event) => take(event.target.files)}
        />
        <input
          ref={folder}
          type="file"
          multiple
          hidden
          aria-label="Folder"
          {...{ webkitdirectory: '' }}
          onChange={(event) => take(event.target.files)}
        />
      </div>
      {upload.isPending ? (
        <div className="stack" role="status">
          <p>
            Sending {chosen.length} {chosen.length === 1 ? 'file' : 'files'} ({sizeText(sizeBytes)}):{' '}
            {Math.round(sent * 100)} %
          </p>
          <Progress.Root
            className="progress"
            value={Math.round(sent * 100)}
            aria-label="Part of the files that is sent"
          >
            <Progress.Indicator style={{ width: `${sent * 100}%` }} />
          </Progress.Root>
        </div>
      ) : null}
      {upload.error ? <ErrorNotice error={upload.error} /> : null}
      {error ? <ErrorNotice error={error} /> : null}
      {job ? <JobProgress job={job} /> : null}
    </section>
  );
}
