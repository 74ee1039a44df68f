import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  isHubName,
  isRuntimeInstalled,
  listManifests,
  modelFolder,
  OFFERED_MODELS,
  OFFERED_RERANKERS,
  type PullProgress,
  pinOf,
  pullModel,
  RUNTIME_PACKAGES,
  runtimeFolder,
  sizeOf,
} from '@lectern/embeddings';
import { type Command, runCommand } from '#backup/run-command';
import { commandLine } from '#command-line';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { LauncherError } from '#launcher-error';

const USAGE = `Usage: ${commandLine('models', 'install | list | pull NAME | remove NAME')}
  Manages embedding models and rerankers that run inside Lectern, in the folder of MODELS_DIR
  (default: models in LECTERN_HOME).
  install                  install the packages that run models (290 MB), once
  list                     show downloaded models and those that Lectern offers
  pull NAME                download a model by its name on the hub, for example ${OFFERED_MODELS[0]?.name}.
                           A repeated call continues an interrupted download.
    --revision COMMIT        a commit, tag or branch; default main, or for offered models their fixed commit
    --dtype q8|fp32|fp16     the precision of the weights; default q8, else fp32
  remove NAME              delete a downloaded model

The hub is https://huggingface.co, or MODELS_HUB_URL. Set NODE_USE_ENV_PROXY=1 to use HTTPS_PROXY.`;

const MIB = 1024 * 1024;
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
const DTYPES = ['q8', 'fp32', 'fp16'] as const;

const isDtype = (value: string): value is (typeof DTYPES)[number] => DTYPES.some((dtype) => dtype === value);

async function install(modelsDir: string, { print, signal }: Command): Promise<void> {
  const folder = runtimeFolder(modelsDir);
  await mkdir(folder, { recursive: true });
  // Without its own package.json, npm would install into a parent folder.
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ private: true })}\n`);
  const packages = Object.entries(RUNTIME_PACKAGES).map(([name, version]) => `${name}@${version}`);
  print(`Installing ${packages.join(' and ')} in ${folder}…`);
  // Install scripts would download libraries for graphics cards, which Lectern does not use.
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    ...packages,
  ];
  const npm = spawn('npm', args, { cwd: folder, stdio: 'inherit', signal });
  const [code] = await once(npm, 'close');
  if (code !== 0 || !isRuntimeInstalled(modelsDir)) {
    throw new LauncherError('npm could not install the packages. Its output shows the reason.');
  }
  print(`Installed. Download a model with: ${commandLine('models', 'pull NAME')}`);
}

async function list(modelsDir: string, { print }: Command): Promise<void> {
  const downloaded = await listManifests(modelsDir);
  print(`Models in ${modelsDir}:`);
  for (const manifest of downloaded) {
    print(`  ${manifest.name}  ${manifest.precision}, ${mib(sizeOf(manifest))}, commit ${manifest.revision}`);
  }
  if (downloaded.length === 0) print('  none');
  if (!isRuntimeInstalled(modelsDir)) {
    print(`The packages that run models are not installed. Run: ${commandLine('models', 'install')}`);
  }
  print('Embedding models that Lectern offers:');
  for (const { name, title, sizeBytes } of OFFERED_MODELS) print(`  ${name}  ${title}, about ${mib(sizeBytes)}`);
  print('Rerankers:');
  for (const { name, title, sizeBytes } of OFFERED_RERANKERS) print(`  ${name}  ${title}, about ${mib(sizeBytes)}`);
}

async function pull(
  modelsDir: string,
  name: string,
  { revision, dtype }: { readonly revision?: string | undefined; readonly dtype?: string | undefined },
  { env, print, signal }: Command,
): Promise<void> {
  if (dtype !== undefined && !isDtype(dtype)) throw new LauncherError(`--dtype must be one of ${DTYPES.join(', ')}.`);
  await mkdir(modelsDir, { recursive: true });
  let shown = -1;
  const onProgress = ({ storedBytes, totalBytes }: PullProgress) => {
    const tenth = totalBytes === 0 ? 0 : Math.floor((storedBytes / totalBytes) * 10);
    if (tenth <= shown) return;
    shown = tenth;
    print(`  ${mib(storedBytes)} of ${mib(totalBytes)}`);
  };
  print(`Downloading ${name}…`);
  const hubUrl = env.MODELS_HUB_URL || undefined;
  const manifest = await pullModel({
    name,
    modelsDir,
    hubUrl,
    revision,
    pin: pinOf(name),
    precision: dtype,
    onProgress,
    signal,
  });
  print(`Downloaded ${name} (${manifest.precision}, commit ${manifest.revision}).`);
  print(`Use it for a collection as the embedding model onnx/${name}, or for all with EMBEDDING_PROVIDER=onnx and`);
  print(`EMBEDDING_MODEL=${name}. A reranker needs RERANK_PROVIDER=onnx and RERANK_MODEL=${name}.`);
}

async function remove(modelsDir: string, name: string, { print }: Command): Promise<void> {
  if (!isHubName(name)) throw new LauncherError(`"${name}" is not the name of a model. Use OWNER/NAME.`);
  const known = (await listManifests(modelsDir)).some((manifest) => manifest.name === name);
  if (!known) throw new LauncherError(`The model ${name} is not downloaded.`);
  await rm(modelFolder(modelsDir, name), { recursive: true });
  print(`Deleted ${name}.`);
}

await runCommand(
  USAGE,
  async (command) => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { revision: { type: 'string' }, dtype: { type: 'string' } },
    });
    const modelsDir = command.env.MODELS_DIR || homeAt(homeFolder(command.env)).models;
    const [action, name, ...others] = positionals;
    if (others.length > 0) throw new LauncherError(USAGE);
    if (action === 'install' && name === undefined) await install(modelsDir, command);
    else if (action === 'list' && name === undefined) await list(modelsDir, command);
    else if (action === 'pull' && name !== undefined) await pull(modelsDir, name, values, command);
    else if (action === 'remove' && name !== undefined) await remove(modelsDir, name, command);
    else throw new LauncherError(USAGE);
  },
  'Interrupted. Run the command again to continue.',
);
