import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type EvalResult, evalResult } from '#eval/eval-result';

/** Reads the last run of a corpus; undefined where there is none yet. Throws where the file is not of this form. */
export async function readPreviousRun(folder: string, corpus: string): Promise<EvalResult | undefined> {
  const file = lastRun(folder, corpus);
  if (!existsSync(file)) return undefined;
  const { success, data } = evalResult.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!success) throw new Error(`${file} is not a result of this version's evaluation. Move it away, then run again.`);
  return data;
}

/** What was written, absolute paths. */
export interface WrittenRun {
  /** Every query's figures and best documents. */
  readonly json: string;
  readonly markdown: string;
}

/**
 * Keeps a run as the last of its corpus and under its time, or with `out` there; the report lies beside it. The last run is replaced in any case:
 * the next is compared with it.
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
