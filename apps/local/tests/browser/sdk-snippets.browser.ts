import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProgram } from '../support/run-snippets.ts';
import { expectPrinted } from '../support/snippet-output.ts';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { runInBrowser } from './support/run-in-browser.ts';

let lectern: Lectern;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern?.stop());

describe("the snippets of the SDK's README", () => {
  it('print the documented output in a browser', async () => {
    const { body, titles } = await readProgram(lectern.baseUrl, lectern.credentials.secretKey);
    const { lines, error } = await runInBrowser(body);
    expect(error).toBeNull();
    expectPrinted(lines, titles);
  });
});
