import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const line = z.object({ _id: z.string(), answers: z.array(z.string().min(1)) });

/** The words that answer each query, by its id, from a folder's `answers.jsonl`; undefined where it has none. */
export async function readAnswers(folder: string): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const file = join(folder, 'answers.jsonl');
  if (!existsSync(file)) return undefined;
  const lines = (await readFile(file, 'utf8')).split('\n').filter((text) => text.trim() !== '');
  const rows = lines.map((text) => line.parse(JSON.parse(text)));
  return new Map(rows.map(({ _id, answers }) => [_id, answers]));
}

/** Whether a text holds one of the answers, whatever the case and the blanks. */
export function holdsAnswer(text: string, answers: readonly string[]): boolean {
  const plain = (words: string) => words.toLowerCase().replace(/\s+/g, ' ');
  return answers.some((answer) => plain(text).includes(plain(answer)));
}
