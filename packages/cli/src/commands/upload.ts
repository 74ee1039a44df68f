import { openAsBlob } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Data, Lectern, Schemas } from '@lectern/sdk';
import type { Command } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { splitIntoBatches } from '#files/batches';
import { findFiles } from '#files/find-files';
import type { LocalFile } from '#files/local-file';
import { ensureUploadTarget } from '#files/upload-target';
import { followJob, jobExitCode } from '#follow-job';
import { plural } from '#output/plural';
import { sizeText } from '#output/size-text';

/** Returns the default collection name: that of the uploaded folder, or of the first file's folder. */
function collectionName(first: string, files: readonly LocalFile[]): string {
  const path = resolve(first);
  const isFile = files.some(({ file }) => file === path);
  return basename(isFile ? dirname(path) : path) || 'Files';
}

async function uploadBatch(
  lectern: Lectern,
  signal: AbortSignal,
  connectorId: string,
  batch: readonly LocalFile[],
): Promise<Data<'uploadFiles'>> {
  // `openAsBlob` streams the file from disk during the upload.
  const files = await Promise.all(batch.map(async ({ file, path }) => ({ name: path, data: await openAsBlob(file) })));
  return lectern.files.upload(connectorId, files, { signal });
}

export const upload: Command = {
  name: 'upload',
  summary: 'Upload files or folders and show the indexing progress',
  parameters: [{ syntax: '<path...>', description: 'the files and folders' }],
  options: [
    {
      syntax: '--collection <name|id>',
      description: 'the target collection, created if missing (default: the name of the folder)',
    },
    { syntax: '--no-wait', description: 'exit after the upload, without waiting for the indexing' },
  ],
  run: async (args, shell) => {
    const [first = ''] = args.positionals;
    const { output, signal } = shell;
    const lectern = await connectWithAccount(shell);
    const files = await findFiles(args.positionals);
    const { collection, connector } = await ensureUploadTarget(
      lectern,
      args.text('collection') ?? collectionName(first, files),
      shell,
    );
    const jobs: (Schemas['SyncJob'] | { readonly jobId: string })[] = [];
    let exitCode: number = EXIT.ok;
    let sent = 0;
    for (const batch of splitIntoBatches(files)) {
      const size = sizeText(batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      output.note(`Uploading ${sent + batch.length} of ${plural(files.length, 'file')} (${size})`);
      const { jobId } = await uploadBatch(lectern, signal, connector.id, batch);
      sent += batch.length;
      if (args.flag('no-wait')) {
        jobs.push({ jobId });
        continue;
      }
      const ended = await followJob(lectern, connector.id, jobId, shell);
      jobs.push(ended);
      // A failed job outranks one with errors, which outranks success.
      if (exitCode !== EXIT.failed) exitCode = jobExitCode(ended) === EXIT.ok ? exitCode : jobExitCode(ended);
    }
    output.line(
      `Uploaded ${plural(sent, 'file')} to ${collection.name} (${collection.id}). Try: lectern search "…" --collection ${collection.id}`,
    );
    output.json({ collection: collection.id, connector: connector.id, files: files.map(({ path }) => path), jobs });
    return exitCode;
  },
};
