import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, matchesGlob, posix, relative } from 'node:path';
import { runToEnd } from '@lectern/local-engines';
import { copyOf, parseDockerfile, type Stage } from './dockerfile.ts';
import { insideCommand, NODE_ACCOUNT, prepareRoot, type System } from './sandbox.ts';

/** A built image: its files in a folder, and its configuration. */
export interface Image {
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly command: readonly string[];
}

/** Inputs and outputs of the build. */
export interface Building {
  /** The build context. */
  readonly context: string;
  readonly dockerfile: string;
  /** The folder for the file systems of stages. Shared stages are built once; existing ones are reused. */
  readonly folder: string;
  readonly system: System;
}

const RUN_TIMEOUT_MS = 900_000;

/** Builds images like `docker build`, with the commands of the Dockerfile. Throws if a command fails. */
export function createImageBuilder(building: Building): (args: Readonly<Record<string, string>>) => Promise<Image> {
  const built = new Map<string, Promise<Image>>();
  const text = readFileSync(building.dockerfile, 'utf8');
  return async (args) => {
    const stages = parseDockerfile(text, args);
    const roots = new Map<string, string>();
    let last: Image | undefined;
    for (const stage of stages) {
      // A stage without ARG is the same for all images.
      const given = stage.instructions.some(({ word }) => word === 'ARG') ? args : {};
      const name = [stage.name || 'image', ...Object.values(given)].join('-');
      const image = built.get(name) ?? keepStage(stage, join(building.folder, name), given, roots, building);
      built.set(name, image);
      last = await image;
      roots.set(stage.name, last.root);
    }
    if (last === undefined) throw new Error('The Dockerfile is empty.');
    return last;
  };
}

/** Builds a stage, or reuses it from an earlier run. */
async function keepStage(
  stage: Stage,
  root: string,
  args: Readonly<Record<string, string>>,
  roots: ReadonlyMap<string, string>,
  building: Building,
): Promise<Image> {
  const note = `${root}.json`;
  if (existsSync(note)) return { ...JSON.parse(await readFile(note, 'utf8')), root };
  await rm(root, { recursive: true, force: true });
  const image = await buildStage(stage, root, args, roots, building);
  await writeFile(note, JSON.stringify(image));
  return image;
}

async function buildStage(
  { instructions }: Stage,
  root: string,
  args: Readonly<Record<string, string>>,
  roots: ReadonlyMap<string, string>,
  { context, system }: Building,
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
        const { stage, sources, target } = copyOf(rest);
        const from = stage === undefined ? context : roots.get(stage);
        if (from === undefined) throw new Error(`COPY --from=${stage}: there is no earlier stage with this name`);
        const filter = stage === undefined ? (path: string) => !ignored(relative(context, path)) : () => true;
        const to = join(root, posix.resolve(image.cwd, target));
        for (const source of sources) await copy(join(from, source), to, target.endsWith('/'), filter);
        return image;
      },
      RUN: async () => {
        const [program, parameters] = insideCommand(
          system,
          { root, cwd: image.cwd, env: { ...args, ...image.env }, uid: image.uid },
          ['sh', '-c', rest],
        );
        await runToEnd(program, parameters, { timeoutMs: RUN_TIMEOUT_MS });
        return image;
      },
    };
    const step = steps[word];
    if (step === undefined) throw new Error(`${word} is not supported here`);
    image = await step();
  }
  return image;
}

const variablesOf = (rest: string): Record<string, string> =>
  Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));

function accountOf(name: string): number {
  if (name !== 'node') throw new Error(`USER ${name} is not supported here`);
  return NODE_ACCOUNT;
}

/** Copies the content of a folder, or a file, into the target. Keeps links. */
async function copy(from: string, to: string, intoFolder: boolean, filter: (path: string) => boolean): Promise<void> {
  const isFolder = (await stat(from)).isDirectory();
  await mkdir(isFolder || intoFolder ? to : join(to, '..'), { recursive: true });
  const target = isFolder || !intoFolder ? to : join(to, basename(from));
  await cp(from, target, { recursive: true, verbatimSymlinks: true, filter });
  if (isFolder) await chmod(to, 0o755);
}

/** True for a path in the context that .dockerignore excludes. */
async function ignoredBy(context: string): Promise<(path: string) => boolean> {
  const patterns = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter((line) => line !== '');
  return (path) => path !== '' && patterns.some((pattern) => matchesGlob(path, pattern));
}
