import { openAsBlob } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { findAccount } from '#account/find-account';
import { type Api, createApi } from '#api/api';
import { type Job, upload as uploadRecord } from '#api/records';
import { usageError } from '#cli-error';
import type { Command } from '#command';
import { EXIT } from '#exit-code';
import { batchesOf } from '#files/batches';
import { findFiles } from '#files/find-files';
import type { LocalFile } from '#files/local-file';
import { ensureUploadTarget } from '#files/upload-target';
import { exitCodeOf, followJob } from '#follow-job';
import { sizeText } from '#output/size-text';

/** As long as the server waits for an upload. */
const UPLOAD_MS = 3_600_000;

/** A collection is called as the folder that is uploaded, or as the one that the first file is in. */
async function nameFor(first: string, files: readonly LocalFile[]): Promise<string> {
  const path = resolve(first);
  const isFile = files.some(({ file }) => file === path);
  return basename(isFile ? dirname(path) : path) || 'Files';
}

async function sendBatch(api: Api, connectorId: string, batch: readonly LocalFile[]) {
  const form = new FormData();
  // Read from the disk as they are sent, so that their size does not matter here.
  for (const { file, path } of batch) form.append('files', await openAsBlob(file), path);
  const path = `/api/v1/connectors/${connectorId}/files/upload`;
  return api.call('POST', path, uploadRecord, { body: form, timeoutMs: UPLOAD_MS });
}

export const upload: Command = {
  name: 'upload',
  summary: 'Upload files or folders and watch them being indexed',
  usage: 'PATH… [--collection NAME|ID] [--no-wait]',
  options: { collection: { type: 'string' }, 'no-wait': { type: 'boolean' } },
  help: [
    ['--collection NAME|ID', "the collection to fill, made if there is none; else the folder's name"],
    ['--no-wait', 'end as soon as the files are there'],
  ],
  run: async (args, shell) => {
    const [first] = args.positionals;
    if (first === undefined) throw usageError('Name the files or folders to upload.');
    const { output } = shell;
    const api = createApi(await findAccount(shell.env), shell.signal);
    const files = await findFiles(args.positionals);
    const wanted = args.text('collection') ?? (await nameFor(first, files));
    const target = await ensureUploadTarget(api, wanted, output);
    const jobs: (Job | { readonly jobId: string })[] = [];
    let exitCode: number = EXIT.ok;
    let sent = 0;
    for (const batch of batchesOf(files)) {
      const size = sizeText(batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      output.note(`Uploading ${sent + batch.length}/${files.length} files (${size})`);
      const { jobId } = await sendBatch(api, target.connector.id, batch);
      sent += batch.length;
      if (args.flag('no-wait')) {
        jobs.push({ jobId });
        continue;
      }
      const ended = await followJob(api, target.connector.id, jobId, shell);
      jobs.push(ended);
      // A failure says more than items that are missing, and both more than a success.
      if (exitCode !== EXIT.failed) exitCode = exitCodeOf(ended) === EXIT.ok ? exitCode : exitCodeOf(ended);
    }
    const { collection, connector } = target;
    output.line(
      `${sent} files are in ${collection.name} (${collection.id}). Try: lectern search "…" --collection ${collection.id}`,
    );
    output.json({ collection: collection.id, connector: connector.id, files: files.map(({ path }) => path), jobs });
    return exitCode;
  },
};
