import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TIMEOUT_MS = 300_000;
const run = promisify(execFile);

let lectern: Lectern;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [lectern, folder] = await Promise.all([startLectern(), temporaryFolder()]);
});
afterAll(async () => {
  await lectern?.stop();
  await folder.remove();
});

const hasTools = await Promise.all(['bash', 'curl'].map((tool) => run(tool, ['--version']))).then(
  () => true,
  () => false,
);

/** The shell blocks of the README below a heading. */
async function blocksBelow(heading: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [section = ''] = text.slice(text.indexOf(`## ${heading}`) + 3).split('\n## ');
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => String(block));
}

describe('the five minutes of the README', () => {
  (hasTools ? it : it.skip)('work as they are written', async () => {
    const [byProgram = '', byHttp = ''] = await blocksBelow('Five minutes');
    const program = `set -euo pipefail\n${byProgram}\n${byHttp}`
      .replaceAll('http://localhost:8080', lectern.baseUrl)
      .replaceAll('./.lectern', lectern.home.path)
      .replaceAll('.lectern/', `${lectern.home.path}/`);
    const { stdout } = await run('bash', ['-c', program], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder.path, XDG_CONFIG_HOME: folder.path },
      timeout: TIMEOUT_MS,
      maxBuffer: 32 * 1024 * 1024,
    });
    expect(stdout).toContain('indexed');
    expect(stdout).toMatch(/thirty days of paid leave/);
    for (const event of ['message_start', 'message_end', 'run_start', 'run_complete'])
      expect(stdout).toContain(`event: ${event}`);
    expect(stdout).toMatch(/"totals":\{"requests":\d+,"errors":0,/);
    expect(stdout).not.toContain('"error":{');
  });
});
