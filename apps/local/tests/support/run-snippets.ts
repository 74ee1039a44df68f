import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const README = fileURLToPath(new URL('../../../../packages/sdk/README.md', import.meta.url));

/**
 * The snippets of the SDK's README as the body of an async function with the parameters `Lectern`,
 * `LecternError` and `console`.
 */
export interface Program {
  readonly body: string;
  readonly titles: readonly string[];
}

/** Reads the snippets for a system at an address. Each one logs its title first. */
export async function readProgram(baseUrl: string, secretKey: string): Promise<Program> {
  const text = await readFile(README, 'utf8');
  const sections = [...text.matchAll(/^## (\d+\. .*)\n[\s\S]*?```ts\n([\s\S]*?)```/gm)];
  const body = sections
    .map(([, title, code = '']) => `console.log(${JSON.stringify(`# ${title}`)});\n${code}`)
    .join('\n');
  return {
    titles: sections.map(([, title = '']) => title),
    body: body
      .replaceAll(/^import .*$/gm, '')
      .replaceAll('http://localhost:8080', baseUrl)
      .replaceAll('lectern_sk_…', secretKey),
  };
}

/** Returns the output of each snippet by its title. */
export function printedBy(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const printed = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lines) {
    if (line.startsWith('# ')) {
      current = [];
      printed.set(line.slice(2), current);
    } else current.push(line);
  }
  return printed;
}
