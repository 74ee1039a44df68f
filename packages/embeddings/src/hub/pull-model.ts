import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { Pin } from '#hub/catalog';
import { downloadFile } from '#hub/download-file';
import { createHubClient, type HubClient, type HubFile } from '#hub/hub-client';
import { MANIFEST, type Manifest } from '#hub/manifest';
import { claimStaging, replaceFolder } from '#hub/staging';
import { isHubName, modelFolder } from '#onnx/local-models';
import { type Precision, WEIGHT_FILES } from '#onnx/model-folder';

export interface PullOptions {
  /** The name in the hub. */
  readonly name: string;
  readonly modelsDir: string;
  /** Default: huggingface.co. */
  readonly hubUrl?: string | undefined;
  /** A commit, tag or branch; default that of `pin`, else `main`. The manifest records the commit. */
  readonly revision?: string | undefined;
  /** Default: `q8`, else `fp32`, else `fp16`. */
  readonly precision?: Precision | undefined;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly signal?: AbortSignal | undefined;
  /** The only version to accept, unless `revision` is set. */
  readonly pin?: Pin | undefined;
}

export interface PullProgress {
  readonly storedBytes: number;
  readonly totalBytes: number;
}

const REQUIRED = ['config.json', 'tokenizer.json'] as const;
const OPTIONAL = [
  'tokenizer_config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
] as const;
/** Weights of more than 2 GB are in a second file. */
const DATA_SUFFIX = '_data';
const BY_PREFERENCE: readonly Precision[] = ['q8', 'fp32', 'fp16'];
/** Bounds what a wrong name can fill the disk with. */
const MAX_BYTES = 8 * 1024 ** 3;

/**
 * Downloads a model into the folder of models. All files are of one commit, and each is verified.
 * The model appears once it is complete. Call it again to continue an interrupted download. Calls at
 * the same time, also of other processes, do not disturb one another.
 * @throws AppError `upstream_error` if the hub does not respond as expected, `not_found` for an unknown model
 */
export async function pullModel(options: PullOptions): Promise<Manifest> {
  const { name, modelsDir, hubUrl, onProgress = () => undefined, signal = new AbortController().signal } = options;
  if (!isHubName(name)) {
    throw invalidRequest([{ path: 'name', message: `"${name}" is not the name of a model. Use OWNER/NAME.` }]);
  }
  const hub = createHubClient(hubUrl);
  const { files, precision, commit } = await findFiles(hub, options, signal);
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (totalBytes > MAX_BYTES) {
    throw new AppError('invalid_request', `The model ${name} has ${totalBytes} bytes, more than Lectern downloads.`);
  }

  const downloads = join(modelsDir, '.downloads');
  const staging = await claimStaging(downloads, `${name.replace('/', '--')}@${commit.slice(0, 12)}-${precision}`);
  try {
    const downloaded: Manifest['files'] = [];
    let earlierBytes = 0;
    for (const file of files) {
      const sha256 = await downloadFile({
        hub,
        name,
        file,
        target: join(staging.folder, file.path),
        onBytes: (bytes) => onProgress({ storedBytes: earlierBytes + bytes, totalBytes }),
        signal,
      });
      downloaded.push({ path: file.path, sizeBytes: file.sizeBytes, sha256 });
      earlierBytes += file.sizeBytes;
    }
    const manifest = { name, revision: commit, precision, files: downloaded };
    await writeFile(join(staging.folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    const folder = modelFolder(modelsDir, name);
    await mkdir(dirname(folder), { recursive: true });
    await replaceFolder(downloads, staging.folder, folder);
    return manifest;
  } finally {
    await staging.release();
  }
}

/** Returns the files to download, all of the commit that the revision is now. */
async function findFiles(hub: HubClient, options: PullOptions, signal: AbortSignal) {
  const { name, precision } = options;
  const pin = options.revision === undefined ? options.pin : undefined;
  const revision = options.revision ?? pin?.revision ?? 'main';
  const config = await hub.find(name, revision, REQUIRED[0], signal);
  if (config === undefined) {
    const message = `The hub has no model ${name} with a ${REQUIRED[0]} at ${revision}. Check the name.`;
    throw new AppError('not_found', message);
  }
  const { commit } = config;
  const find = (path: string) => hub.find(name, commit, path, signal);
  const tokenizer = await find(REQUIRED[1]);
  const weights = await findWeights(find, precision === undefined ? BY_PREFERENCE : [precision]);
  if (tokenizer === undefined || weights === undefined) {
    const missing = tokenizer === undefined ? REQUIRED[1] : `onnx/${WEIGHT_FILES[precision ?? 'fp32'][0]}`;
    throw new AppError('not_found', `The model ${name} has no ${missing}. Choose a model with ONNX files.`);
  }
  const { checksum } = weights.file;
  const isOther = weights.precision === 'q8' && (checksum.kind !== 'sha256' || checksum.value !== pin?.weightsSha256);
  if (pin !== undefined && (commit !== pin.revision || isOther)) {
    const message = `The hub serves other files for ${name} than Lectern offers (commit ${pin.revision}).`;
    throw new AppError('unavailable', `${message} Check MODELS_HUB_URL, or choose a commit with --revision.`);
  }
  const optional = await Promise.all([...OPTIONAL, `${weights.file.path}${DATA_SUFFIX}`].map(find));
  const present = optional.filter((file): file is HubFile => file !== undefined);
  return { files: [config, tokenizer, ...present, weights.file], precision: weights.precision, commit };
}

async function findWeights(find: (path: string) => Promise<HubFile | undefined>, precisions: readonly Precision[]) {
  for (const precision of precisions) {
    for (const name of WEIGHT_FILES[precision]) {
      const file = await find(`onnx/${name}`);
      if (file !== undefined) return { file, precision };
    }
  }
  return undefined;
}
