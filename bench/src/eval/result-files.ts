import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type EvalResult, evalResult } from '#eval/eval-result';

/** Reads the last run of a corpus; undefined if there is none. Throws for an invalid file. */
export async function readPreviousRun(folder: string, corpus: string): Promise<EvalResult | undefined> {
  const file = lastRun(folder, corpus);
  if (!existsSync(file)) return undefined;
  const { success, data } = evalResult.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!success)
    throw new Error(`${file} was not written by this version of the evaluation. Move or delete it, then run again.`);
  return data;
}

/** The absolute paths of the written files. */
export interface WrittenRun {
  /** The metrics and best documents of every query. */
  readonly json: string;
  readonly markdown: string;
}

/**
 * Stores a run and its report as the last of its corpus and under its time, or at `out`. Always
 * replaces the last run, because the next one is compared with it.
 */
export async function writeRun(folder: string, result: EvalResult, report: string, out?: string): Promise<WrittenRun> {
  const stamp = result.takenAt.replaceAll(/[:.]/g, '-');
  const json = out ?? join(folder, result.corpus, `${stamp}.json`);
  const markdown = extname(json) === '' ? `${json}.md` : `${json.slice(0, -extname(json).length)}.md`;
  const text = `${JSON.stringify(result, undefined, 1)}\n`;
  await write(json, text);
  await write(markdown, report);
  await write(lastRun(folder, result.corpus), text);
  return { json, markdown };
}

function lastRun(folder: string, corpus: string): string {
  return join(folder, corpus, 'last.json');
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
