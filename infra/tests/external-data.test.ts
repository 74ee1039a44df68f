import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../', import.meta.url);

/** In zod 4 these schemas require the field, although its type allows undefined. */
const REQUIRED_ANY =
  /[{,\s]['"]?[\w$-]+['"]?:\s*z\s*\.(?:unknown|any)\(\)(?!\s*\.(?:optional|nullish|default|prefault|catch)\()/g;

/** Files that read only data that Lectern wrote. */
const INTERNAL: ReadonlySet<string> = new Set(['apps/gateway/src/idempotency/run-once.ts']);

async function sources(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['apps', 'packages']) {
    for (const workspace of await readdir(new URL(`${folder}/`, root))) {
      const src = `${folder}/${workspace}/src`;
      const files = await readdir(new URL(src, root), { recursive: true }).catch(() => []);
      found.push(...files.filter((file) => /(?<!\.test)\.tsx?$/.test(file)).map((file) => `${src}/${file}`));
    }
  }
  return found.filter((file) => !file.includes('/gen/'));
}

describe('a schema of external data', () => {
  it('does not require a field that accepts any value', async () => {
    const files = await sources();
    expect(files.length).toBeGreaterThan(500);
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(new URL(file, root), 'utf8');
      if (!INTERNAL.has(file))
        found.push(...(text.match(REQUIRED_ANY) ?? []).map((field) => `${file}: ${field.trim()}`));
    }
    expect(found).toEqual([]);
  });
});
