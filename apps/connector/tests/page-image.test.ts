import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeWords } from '@lectern/documents';
import { callAs, createCaller, textPdf } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const PAGES = [['Leave', 'Thirty days a year.'], ['Travel by train.']];

let system: TestSystem;
let connectorId: string;
beforeAll(async () => {
  system = await startSystem();
  connectorId = (await system.client.createConnector(newCollection(system.collection.collections))).id;
});
afterAll(() => system.stop());

const upload = async (path: string, content: string | Uint8Array): Promise<string> => {
  const { files, jobId } = await system.client.upload(connectorId, [{ path, content }]);
  await system.client.ended(connectorId, jobId);
  return files[0]!.documentId;
};
const imageOf = (documentId: string, page: number, call = system.client.as()) =>
  system.client.files.getPageImage({ documentId, page }, call);

describe('a page of an uploaded file', () => {
  it('is rendered as a PNG', async () => {
    const id = await upload('leave.pdf', textPdf(PAGES));
    const image = await imageOf(id, 2);
    expect(image.content.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(image.content.readUInt32BE(16)).toBe(image.width);
    expect(image.width / image.height).toBeCloseTo(612 / 792, 2);
  });

  it('is sent to the collection service with the places of its words', async () => {
    const id = await upload('words.pdf', textPdf(PAGES));
    const { content = '', pages = [] } =
      system.collection.documents.find((document) => document.id === id)?.request ?? {};
    const words = pages.map(({ words, start }) => decodeWords(words, start));
    const texts = words.map((ofPage) => ofPage.map(({ start, end }) => content.slice(start, end)).join(' '));
    expect(texts).toEqual(PAGES.map((lines) => lines.join(' ')));
  });

  it('is not found if the file, the page or the document does not exist', async () => {
    const id = await upload('two.pdf', textPdf(PAGES));
    await expect(imageOf(id, 3)).rejects.toMatchObject({ code: 'not_found', message: /has no page 3.*2 pages/ });
    await expect(imageOf(id, 0)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(imageOf(`doc_${crypto.randomUUID()}`, 1)).rejects.toMatchObject({ code: 'not_found' });
    const note = await upload('note.txt', 'A note.');
    await expect(imageOf(note, 1)).rejects.toMatchObject({ code: 'not_found', message: /no pages/ });
    await system.client.files.deleteFiles({ connectorId, files: ['two.pdf'] }, system.client.as());
    await expect(imageOf(id, 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found for another team, even if it knows the document', async () => {
    const id = await upload('private.pdf', textPdf(PAGES));
    await expect(imageOf(id, 1, callAs(createCaller()))).rejects.toMatchObject({ code: 'not_found' });
  });
});
