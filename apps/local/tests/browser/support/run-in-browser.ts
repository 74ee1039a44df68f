import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startChromium } from '@lectern/testing/chromium';

const DIST = new URL('../../../../../packages/sdk/dist/', import.meta.url);
const TIMEOUT_MS = 120_000;

const page = (body: string) => `<!doctype html><title>Snippets</title><script type="module">
import * as sdk from '/sdk/index.js';
const lines = [];
const log = (...values) => lines.push(values.map((value) => typeof value === 'string' ? value : JSON.stringify(value)).join(' '));
const AsyncFunction = (async () => {}).constructor;
let error = null;
try {
  await new AsyncFunction('Lectern', 'LecternError', 'console', ${JSON.stringify(body).replaceAll('<', '\\u003c')})(sdk.Lectern, sdk.LecternError, { log });
} catch (thrown) { error = String(thrown?.stack ?? thrown); }
await fetch('/done', { method: 'POST', body: JSON.stringify({ lines, error }) });
</script>`;

/** Runs a program with the built SDK in a headless Chromium. */
export async function runInBrowser(body: string): Promise<{ lines: readonly string[]; error: string | null }> {
  const done = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    if (request.url === '/done') {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      response.end();
      done.resolve(text);
    } else if (request.url?.startsWith('/sdk/')) {
      const path = fileURLToPath(new URL(request.url.slice('/sdk/'.length), DIST));
      response.setHeader('Content-Type', 'text/javascript').end(await readFile(path));
    } else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await startChromium();
  const late = setTimeout(() => done.reject(new Error('The page did not report its result in time.')), TIMEOUT_MS);
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${port}/`);
    return JSON.parse(await done.promise);
  } finally {
    clearTimeout(late);
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
