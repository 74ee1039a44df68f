import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LecternError, Lectern as LecternSdk } from '@lectern/sdk';
import { temporaryFolder } from '@lectern/testing';
import { itIf } from '@lectern/testing/skip';
import { findNode20, installPackages, runIn } from './support/installed.ts';
import { readProgram } from './support/run-snippets.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';
import { expectPrinted } from './support/snippet-output.ts';

const node20 = await findNode20();

let lectern: SharedLectern;
beforeAll(async () => {
  lectern = await shareLectern();
});

async function runHere(body: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = (...values: readonly unknown[]) =>
    lines.push(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  await new AsyncFunction('Lectern', 'LecternError', 'console', body)(LecternSdk, LecternError, { log });
  return lines;
}

describe("the snippets of the SDK's README", () => {
  it('print the documented output in Node', async () => {
    const { body, titles } = await readProgram(lectern.baseUrl, lectern.credentials.secretKey);
    expectPrinted(await runHere(body), titles);
  });
});

describe('packed and installed into an empty folder without a network', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await installPackages(folder.path);
  });
  afterAll(() => folder.remove());

  /** The Node of these tests, and the machine's Node 20 if it has one. */
  const nodes: readonly (readonly [string, string | undefined])[] = [
    [`Node ${process.versions.node}`, process.execPath],
    ['Node 20', node20],
  ];

  for (const [name, node] of nodes) {
    const test = itIf(node !== undefined, 'this machine has none');

    test(`the SDK prints what its README documents: ${name}`, async () => {
      const { body, titles } = await readProgram(lectern.baseUrl, lectern.credentials.secretKey);
      await writeFile(join(folder.path, 'program.js'), `${BEFORE}${body}${AFTER}`);
      expectPrinted(JSON.parse(await runIn(folder.path, String(node), ['program.js'])), titles);
    });

    test(`lectern uploads, searches and shows the status: ${name}`, async () => {
      const env = { LECTERN_URL: lectern.baseUrl, LECTERN_KEY: lectern.credentials.secretKey };
      const bin = 'node_modules/@lectern/cli/bin/lectern.mjs';
      const cli = async (...args: readonly string[]) =>
        JSON.parse(await runIn(folder.path, String(node), [bin, ...args, '--json'], env));
      const collection = `Offices of ${name}`;
      await writeFile(join(folder.path, 'lisbon.md'), '# Lisbon\n\nThe office in Lisbon opens at nine.\n');
      const uploaded = await cli('upload', 'lisbon.md', '--collection', collection);
      expect(uploaded.jobs).toMatchObject([{ status: 'completed', progress: { failed: 0 } }]);
      const found = await cli('search', 'Lisbon', 'opens', '--collection', collection);
      expect(found.results[0].excerpt).toContain('opens at nine');
      const { collections } = await cli('status');
      expect(collections.map((one: { name: string }) => one.name)).toContain(collection);
    });
  }
});

const BEFORE = `import { Lectern, LecternError } from '@lectern/sdk';
const lines = [];
const log = (...values) =>
  void lines.push(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
const console = { log };
`;
const AFTER = '\nprocess.stdout.write(JSON.stringify(lines));\n';
