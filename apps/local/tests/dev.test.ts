import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder, waitUntil } from '@lectern/testing';
import { homeAt } from '#home';
import { type Api, createApi } from './support/api.ts';
import { makeCheckout } from './support/make-checkout.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';

/** Time for a service to stop, start and be found healthy, and for the console to see a change. */
const CHANGE_MS = 30_000;

describe('npm run dev', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let checkout: string;
  let home: TestHome;
  let launcher: Launcher;
  let api: Api;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    checkout = join(temporary.path, 'lectern');
    await makeCheckout(checkout);
    home = await testHome({ checkout, program: 'dev.ts', isFirstStart: true });
    launcher = await home.launch();
    await launcher.ready;
    api = createApi(await home.credentials());
  });

  afterAll(async () => {
    await home?.remove();
    await temporary.remove();
  });

  const get = (url: string | URL) => fetch(url, { signal: AbortSignal.timeout(CHANGE_MS) });
  const logOf = (service: string) => readFile(homeAt(home.path).log(service), 'utf8');
  const untilLogged = (service: string, text: string) =>
    waitUntil(async () => (await logOf(service)).includes(text), {
      what: `"${text}" in the log of ${service}`,
      timeoutMs: CHANGE_MS,
    });
  const untilSearchWorks = () =>
    waitUntil(async () => (await api.call('POST', '/api/v1/search', { query: 'leave' })).status === 200, {
      what: 'a search',
      timeoutMs: CHANGE_MS,
    });

  it('restarts only the service whose code changes, without counting it as a crash', async () => {
    const file = join(checkout, 'apps/search/src/main.ts');
    const code = await readFile(file, 'utf8');
    const { parts } = await home.state();
    await untilSearchWorks();
    await writeFile(file, code.replace('\nawait ', "\nprocess.stderr.write('changed code\\n');\nawait "));
    await untilLogged('search', 'changed code');
    await untilSearchWorks();
    expect((await home.state()).parts).toEqual(parts);
    expect(await logOf('search')).toContain('Restarting');
    expect(await logOf('gateway')).not.toContain('Restarting');
    expect(launcher.output()).not.toContain('restarting it');
  });

  it('waits for the next change after a syntax error', async () => {
    const file = join(checkout, 'apps/search/src/main.ts');
    const code = await readFile(file, 'utf8');
    await writeFile(file, `${code}\nconst = ;\n`);
    await untilLogged('search', 'SyntaxError');
    await writeFile(file, code.replace('changed code', 'corrected code'));
    await untilLogged('search', 'corrected code');
    await untilSearchWorks();
    expect(launcher.output()).not.toContain('restarting it');
  });

  it('serves the console from its sources, with changes, and forwards requests to the API', async () => {
    const [, url = ''] = /Console +(http:\S+)/.exec(launcher.output()) ?? [];
    expect(await (await get(url)).text()).toContain('/console/@vite/client');
    const file = join(checkout, 'apps/console/src/texts/en/session.ts');
    const code = await readFile(file, 'utf8');
    const served = async () => (await get(new URL('src/texts/en/session.ts', url))).text();
    expect(await served()).toContain('Sign in to ');
    await writeFile(file, code.replace('Sign in to ', 'A changed title '));
    await waitUntil(async () => (await served()).includes('A changed title'), {
      what: 'the changed page',
      timeoutMs: CHANGE_MS,
    });
    expect((await get(new URL('/api/v1/collections', url))).status).toBe(401);
  });

  it('stops everything with Ctrl-C', async () => {
    launcher.signal('SIGINT');
    expect(await launcher.ended).toBe(0);
    expect(await home.processes()).toEqual([]);
  });
});
