import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = join(REPOSITORY, 'docs/integrations');
const TIMEOUT_MS = 120_000;
/** The address in the recipes, which is replaced by that of the running system. */
const ADDRESS = 'http://localhost:8080';
const NOT_RUN = /<!-- not run: (.*?) -->\s*$/;
const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
const FILE_NAME = /^(?:\/\/|#) ([\w-]+\.(?:ts|js|sh|py))\n/;

/** A code block of a recipe. */
export interface Block {
  /** The language after the opening fence. */
  readonly language: string;
  readonly code: string;
  /** The line of its opening fence. */
  readonly line: number;
  /** The file that it is saved as, so that later blocks can import it. */
  readonly file: string;
  /** The text block after it: the expected output, in which `…` stands for any text. */
  readonly output: string | undefined;
  /** Why it is not run. */
  readonly notRun: string | undefined;
}

/** The recipes with code to run, as names of Markdown files. */
export const recipes = (): readonly string[] =>
  readdirSync(FOLDER).filter((name) => name.endsWith('.md') && readBlocks(name).length > 0);

/** Reads the code blocks of a recipe, except commands for a terminal (`console`). */
export function readBlocks(recipe: string): readonly Block[] {
  const text = readFileSync(join(FOLDER, recipe), 'utf8');
  const found = [...text.matchAll(BLOCK)];
  return found.flatMap(([whole, language = '', code = ''], at) => {
    if (language === 'text' || language === 'console') return [];
    const { index } = found[at] ?? { index: 0 };
    const next = found[at + 1];
    const end = index + whole.length;
    const isOutput = next?.[1] === 'text';
    const line = text.slice(0, index).split('\n').length;
    return {
      language,
      code,
      line,
      file: FILE_NAME.exec(code)?.[1] ?? `line-${line}.${EXTENSIONS[language] ?? language}`,
      output: isOutput && text.slice(end, next.index).trim().length < 200 ? next[2] : undefined,
      notRun: NOT_RUN.exec(text.slice(0, index))?.[1],
    };
  });
}

const EXTENSIONS: Readonly<Record<string, string>> = { python: 'py' };

type Run = (folder: string, block: Block, env: NodeJS.ProcessEnv) => Promise<string>;

const execute = promisify(execFile);
const program =
  (command: string, ...args: readonly string[]): Run =>
  async (folder, { file }, env) =>
    (await execute(command, [...args, file], { cwd: folder, env, timeout: TIMEOUT_MS })).stdout;

/** What a block of each language does: it runs, or at least it must be valid. */
const RUNNERS: Readonly<Record<string, Run>> = {
  ts: program(process.execPath, '--disable-warning=ExperimentalWarning'),
  js: program(process.execPath),
  sh: program('bash', '-euo', 'pipefail'),
  python: program('python3'),
  json: async (_folder, { code }) => String(JSON.parse(code)),
  yaml: async (_folder, { code }) => {
    for (const { errors } of parseAllDocuments(code)) if (errors[0] !== undefined) throw errors[0];
    return '';
  },
};

/** The languages of blocks that run or are checked. */
export const LANGUAGES: readonly string[] = Object.keys(RUNNERS);

/** Prepares a folder: its programs import the packages of this repository. */
export const prepareFolder = async (folder: string): Promise<void> => {
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
};

/** Saves a block as a file in the folder and runs it. Returns what it prints. */
export async function runBlock(
  folder: string,
  block: Block,
  { baseUrl, env }: { readonly baseUrl: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const run = RUNNERS[block.language];
  if (run === undefined) throw new TypeError(`line ${block.line}: a block in ${block.language} cannot run`);
  await writeFile(join(folder, block.file), block.code.replaceAll(ADDRESS, baseUrl));
  return run(folder, block, { PATH: process.env.PATH, HOME: folder, ...env });
}

/** Returns a pattern for an expected output, in which `…` stands for any text. */
export function patternOf(output: string): RegExp {
  const parts = output.trim().split('…');
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[\\s\\S]*?')}$`);
}
