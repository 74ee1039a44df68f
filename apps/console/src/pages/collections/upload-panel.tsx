import { type DragEvent, useRef, useState } from 'react';
import { uploadFiles } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { droppedFiles, type NamedFile } from '#pages/collections/dropped-files.ts';
import { JobProgress } from '#pages/jobs/job-progress.tsx';
import { useJob } from '#pages/jobs/use-job.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { sizeText } from '#ui/size-text.ts';

/** Uploads files to a connector and shows the indexing progress. */
export function UploadPanel({ connectorFor }: { readonly connectorFor: () => Promise<string> }) {
  const [sentPercent, setSentPercent] = useState(0);
  const [isDragOver, setIsDragOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const upload = useChange(
    async (chosen: readonly NamedFile[]) => {
      setSentPercent(0);
      const connectorId = await connectorFor();
      const { jobId } = await uploadFiles(connectorId, chosen, {
        onProgress: ({ sentBytes, totalBytes }) => setSentPercent(Math.round((sentBytes / totalBytes) * 100)),
      });
      return { connectorId, jobId };
    },
    ['connectors', 'files'],
  );
  const { job, error } = useJob(upload.data?.connectorId ?? '', upload.data?.jobId);

  function start(chosen: readonly NamedFile[]) {
    if (chosen.length > 0) upload.mutate(chosen);
  }
  // Files of a selected folder keep their relative paths.
  const startList = (list: FileList | null) =>
    start([...(list ?? [])].map((data) => ({ name: data.webkitRelativePath || data.name, data })));
  function drop(event: DragEvent) {
    event.preventDefault();
    setIsDragOver(false);
    void droppedFiles(event.dataTransfer).then(start);
  }
  const chosen = upload.variables ?? [];
  const sizeBytes = chosen.reduce((sum, { data }) => sum + data.size, 0);

  return (
    <section className="stack" aria-label={t('collections.upload')}>
      {/* Drag and drop is optional: the buttons do the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above. */}
      <div
        className={`drop ${isDragOver ? 'drop-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDragOver(true);
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={drop}
      >
        <p>{t('collections.dropHere')}</p>
        <div className="row">
          <Button isPrimary isBusy={upload.isPending} onClick={() => files.current?.click()}>
            {t('collections.chooseFiles')}
          </Button>
          <Button disabled={upload.isPending} onClick={() => folder.current?.click()}>
            {t('collections.chooseFolder')}
          </Button>
        </div>
        <FileInput label={t('collections.files')} ref={files} onFiles={startList} />
        <FileInput label={t('collections.folder')} ref={folder} onFiles={startList} isFolder />
      </div>
      {upload.isPending ? (
        <div className="stack" role="status">
          <p>{t('collections.uploading', { count: chosen.length, size: sizeText(sizeBytes), percent: sentPercent })}</p>
          <ProgressBar label={t('collections.uploadProgress')} percent={sentPercent} />
        </div>
      ) : null}
      {upload.error ? <ErrorNotice error={upload.error} /> : null}
      {error ? <ErrorNotice error={error} /> : null}
      {job ? <JobProgress job={job} /> : null}
    </section>
  );
}

function FileInput({
  label,
  ref,
  isFolder = false,
  onFiles,
}: {
  readonly label: string;
  readonly ref: React.RefObject<HTMLInputElement | null>;
  readonly isFolder?: boolean;
  readonly onFiles: (list: FileList | null) => void;
}) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label={label}
      {...(isFolder ? { webkitdirectory: '' } : {})}
      onChange={(event) => {
        onFiles(event.target.files);
        // Otherwise selecting the same files again would not trigger a change event.
        event.target.value = '';
      }}
    />
  );
}
