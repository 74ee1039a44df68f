import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, matchesGlob, posix, relative } from 'node:path';
import { runToEnd } from '@lectern/local-engines';
import { parseCopy, parseDockerfile, type Stage } from './dockerfile.ts';
import { commandInImage, NODE_ACCOUNT, prepareRoot, type System } from './sandbox.ts';

/** A built image: its files in a folder, and its configuration. */
export interface Image {
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly command: readonly string[];
}

/** The inputs and output folder of a build. */
export interface BuildOptions {
  /** The build context. */
  readonly context: string;
  readonly dockerfile: string;
  /** The folder for the file systems of stages. Shared stages are built once; existing ones are reused. */
  readonly folder: string;
  readonly system: System;
}

const RUN_TIMEOUT_MS = 900_000;

/** Builds images like `docker build`, with the commands of the Dockerfile. Throws if a command fails. */
export function createImageBuilder(options: BuildOptions): (args: Readonly<Record<string, string>>) => Promise<Image> {
  const built = new Map<string, Promise<Image>>();
  const text = readFileSync(options.dockerfile, 'utf8');
  return async (args) => {
    const stages = parseDockerfile(text, args);
    const roots = new Map<string, string>();
    let last: Image | undefined;
    for (const stage of stages) {
      // Without ARG, the stage is the same for all images.
      const stageArgs = stage.instructions.some(({ word }) => word === 'ARG') ? args : {};
      const name = [stage.name || 'image', ...Object.values(stageArgs)].join('-');
      const image = built.get(name) ?? buildOrReuseStage(stage, join(options.folder, name), stageArgs, roots, options);
      built.set(name, image);
      last = await image;
      roots.set(stage.name, last.root);
    }
    if (last === undefined) throw new Error('The Dockerfile is empty.');
    return last;
  };
}

/** Builds a stage, or reuses the one of an earlier run. */
async function buildOrReuseStage(
  stage: Stage,
  root: string,
  args: Readonly<Record<string, string>>,
  roots: ReadonlyMap<string, string>,
  options: BuildOptions,
): Promise<Image> {
  const imageFile = `${root}.json`;
  if (existsSync(imageFile)) return { ...JSON.parse(await readFile(imageFile, 'utf8')), root };
  await rm(root, { recursive: true, force: true });
  const image = await buildStage(stage, root, args, roots, options);
  await writeFile(imageFile, JSON.stringify(image));
  return image;
}

async function buildStage(
  { instructions }: Stage,
  root: string,
  args: Readonly<Record<string, string>>,
  roots: ReadonlyMap<string, string>,
  { context, system }: BuildOptions,
): Promise<Image> {
  await mkdir(root, { recursive: true });
  await prepareRoot(root);
  const ignored = await ignoredBy(context);
  let image: Image = { root, cwd: '/', env: {}, uid: 0, command: [] };
  for (const { word, rest } of instructions) {
    const steps: Record<string, () => Promise<Image>> = {
      ARG: async () => image,
      ENV: async () => ({ ...image, env: { ...image.env, ...variablesOf(rest) } }),
      WORKDIR: async () => {
        const cwd = posix.resolve(image.cwd, rest);
        await mkdir(join(root, cwd), { recursive: true });
        return { ...image, cwd };
      },
      USER: async () => ({ ...image, uid: accountOf(rest) }),
      CMD: async () => ({ ...image, command: JSON.parse(rest) }),
      COPY: async () => {
        const { stage, sources, target } = parseCopy(rest);
        const from = stage === undefined ? context : roots.get(stage);
        if (from === undefined) throw new Error(`COPY --from=${stage}: no earlier stage has this name`);
        const filter = stage === undefined ? (path: string) => !ignored(relative(context, path)) : () => true;
        const to = join(root, posix.resolve(image.cwd, target));
        for (const source of sources) await copy(join(from, source), to, target.endsWith('/'), filter);
        return image;
      },
      RUN: async () => {
        const [program, parameters] = commandInImage(
          system,
          { root, cwd: image.cwd, env: { ...args, ...image.env }, uid: image.uid },
          ['sh', '-c', rest],
        );
        await runToEnd(program, parameters, { timeoutMs: RUN_TIMEOUT_MS });
        return image;
      },
    };
    const step = steps[word];
    if (step === undefined) throw new Error(`The image builder does not support ${word}.`);
    image = await step();
  }
  return image;
}

const variablesOf = (rest: string): Record<string, string> =>
  Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));

function accountOf(name: string): number {
  if (name !== 'node') throw new Error(`The image builder does not support USER ${name}.`);
  return NODE_ACCOUNT;
}

/** Copies a file or the content of a folder to the target. Does not follow links. */
async function copy(from: string, to: string, intoFolder: boolean, filter: (path: string) => boolean): Promise<void> {
  const isFolder = (await stat(from)).isDirectory();
  await mkdir(isFolder || intoFolder ? to : join(to, '..'), { recursive: true });
  const target = isFolder || !intoFolder ? to : join(to, basename(from));
  await cp(from, target, { recursive: true, verbatimSymlinks: true, filter });
  if (isFolder) await chmod(to, 0o755);
}

/** Returns a function that is true for the paths that .dockerignore excludes. */
async function ignoredBy(context: string): Promise<(path: string) => boolean> {
  const patterns = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter((line) => line !== '');
  return (path) => path !== '' && patterns.some((pattern) => matchesGlob(path, pattern));
}
