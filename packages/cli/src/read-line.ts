import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts for a line on a terminal. `isSecret` hides the input. */
export async function readLine(
  question: string,
  stdin: NodeJS.ReadStream,
  { isSecret, signal }: { readonly isSecret: boolean; readonly signal: AbortSignal },
): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: isSecret ? silent : process.stderr, terminal: true });
  try {
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
