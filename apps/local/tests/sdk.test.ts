import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { LecternError, Lectern as LecternSdk } from '@lectern/sdk';
import { readProgram } from './support/run-snippets.ts';
import { expectPrinted } from './support/snippet-output.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

let lectern: Lectern;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern?.stop());

async function runHere(body: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = (...values: readonly unknown[]) =>
    lines.push(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  await new AsyncFunction('Lectern', 'LecternError', 'console', body)(LecternSdk, LecternError, { log });
  return lines;
}

describe("the ten snippets of the SDK's README, against a whole system,", () => {
  it('do in Node what they say', async () => {
    const { body, titles } = await readProgram(lectern.baseUrl, lectern.credentials.secretKey);
    expectPrinted(await runHere(body), titles);
  });
});
