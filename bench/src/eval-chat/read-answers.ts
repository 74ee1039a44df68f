import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const line = z.object({ _id: z.string(), answers: z.array(z.string().min(1)) });

/**
 * Reads the words of each answer by query id from `answers.jsonl`; undefined if the file is
 * missing.
 */
export async function readAnswers(folder: string): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const file = join(folder, 'answers.jsonl');
  if (!existsSync(file)) return undefined;
  const lines = (await readFile(file, 'utf8')).split('\n').filter((text) => text.trim() !== '');
  const rows = lines.map((text) => line.parse(JSON.parse(text)));
  return new Map(rows.map(({ _id, answers }) => [_id, answers]));
}

/** Returns whether a text contains one of the answers, ignoring case and whitespace. */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  const plain = (words: string) => words.toLowerCase().replace(/\s+/g, ' ');
  return answers.some((answer) => plain(text).includes(plain(answer)));
}
