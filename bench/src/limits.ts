import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs the tests of guaranteed times one file at a time, without the tolerance of `npm test`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JEST = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));

const timed = globSync('{apps,packages}/*/{src,tests}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => readFileSync(`${ROOT}${file}`, 'utf8').includes('timeLimit('))
  .sort();
const workspaces = Map.groupBy(timed, (file) => file.split('/').slice(0, 2).join('/'));

const failed = [...workspaces].filter(([workspace, files]) => {
  process.stdout.write(`\n${workspace}\n`);
  const paths = files.map((file) => file.slice(workspace.length + 1));
  const { status } = spawnSync(process.execPath, ['--experimental-vm-modules', JEST, '--runInBand', ...paths], {
    cwd: `${ROOT}${workspace}`,
    env: { ...process.env, LECTERN_EXACT_TIMES: '1' },
    stdio: 'inherit',
  });
  return status !== 0;
});
const late = failed.map(([name]) => name).join(', ');
process.stdout.write(
  late === '' ? `\nAll ${timed.length} files met their time limits.\n` : `\nExceeded their time limits: ${late}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
