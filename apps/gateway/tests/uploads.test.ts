import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import { signedHeaders } from './support/sign.ts';

const FILE_LIMIT = 2 * 1024 * 1024;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ MAX_FILE_BYTES: `${FILE_LIMIT}`, MAX_FILES_PER_UPLOAD: '3' });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.uploads.length = 0;
});
afterEach(() => {
  gateway.services.failWith = undefined;
});

const PATH = `/api/v1/connectors/${KNOWN.connector}/files/upload`;
type Field = readonly [string, string | File];

function send(...fields: Field[]) {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return gateway.send('POST', PATH, { body });
}

const file = (name: string, content: string | Uint8Array<ArrayBuffer> = 'text', type = 'text/plain'): Field => [
  'files',
  new File([content], name, { type }),
];

/** Starts a raw upload with one incomplete file, and leaves the rest to the test. */
function startUpload(to: TestGateway) {
  const boundary = 'x';
  const headers = {
    'X-Service-Key': to.keys.secretKey,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  };
  const upload = request(`${to.url}${PATH}`, { method: 'POST', headers });
  upload.on('error', () => undefined);
  upload.write(`--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="big.bin"\r\n\r\n`);
  return upload;
}

describe('an upload', () => {
  it('passes on each file with its path and type, with the metadata before or after the files', async () => {
    const metadata: Field = ['metadata', JSON.stringify({ author: 'Ada', tags: ['hr'] })];
    for (const fields of [
      [metadata, file('hr/leave.md', '# Leave', 'text/markdown'), file('Überstunden ✓.txt')],
      [file('hr/leave.md', '# Leave', 'text/markdown'), file('Überstunden ✓.txt'), metadata],
    ]) {
      const response = await send(...fields);
      expect(response.status).toBe(202);
      expect(response.json.data).toEqual({
        files: [
          {
            id: KNOWN.file,
            name: 'leave.pdf',
            path: 'hr/leave.pdf',
            size: 900,
            mimeType: 'application/pdf',
            checksum: 'sha256:00',
            documentId: KNOWN.document,
            status: 'indexed',
          },
        ],
        jobId: KNOWN.job,
      });
      expect(gateway.services.uploads.pop()).toMatchObject({
        ended: true,
        metadata: { author: 'Ada', tags: ['hr'] },
        files: [
          { path: 'hr/leave.md', mimeType: 'text/markdown', text: '# Leave', sizeBytes: 7 },
          { path: 'Überstunden ✓.txt', mimeType: 'text/plain', sizeBytes: 4 },
        ],
      });
    }
  });

  it('accepts empty files and files of exactly the maximum size', async () => {
    expect((await send(file('empty.txt', ''), file('full.bin', new Uint8Array(FILE_LIMIT)))).status).toBe(202);
    expect(gateway.services.uploads[0]?.files.map(({ sizeBytes }) => sizeBytes)).toEqual([0, FILE_LIMIT]);
  });

  it('is rejected and aborted at the service if a file exceeds the limit', async () => {
    const response = await send(file('ok.txt'), file('big.bin', new Uint8Array(FILE_LIMIT + 1)));
    expectError(response, 413, 'payload_too_large');
    const [upload] = gateway.services.uploads;
    await waitUntil(async () => upload?.aborted === true, {
      what: 'the service to receive the abort',
      timeoutMs: 5_000,
    });
  });

  it('is rejected if it has too many files or none', async () => {
    expectError(await send(...['a', 'b', 'c', 'd'].map((name) => file(name))), 413, 'payload_too_large', '3 files');
    expectError(await send(['metadata', '{}']), 400, 'invalid_request', 'files');
  });

  it('is rejected if its fields are invalid', async () => {
    expectError(await send(file('a'), ['surprise', '1']), 400, 'invalid_request', 'surprise');
    expectError(await send(['file', new File(['x'], 'a')]), 400, 'invalid_request', 'file');
    expectError(await send(['files', 'not a file']), 400, 'invalid_request', 'files');
    for (const metadata of [
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{"a":"\\u0000"}',
      '{"__proto__":{}}',
      '{"url":"javascript:alert(1)"}',
      `"${'x'.repeat(70_000)}"`,
    ]) {
      expectError(await send(['metadata', metadata], file('a')), 400, 'invalid_request', 'metadata');
      expectError(await send(file('a'), ['metadata', metadata]), 400, 'invalid_request', 'metadata');
    }
    expectError(await send(['metadata', '{}'], file('a'), ['metadata', '{}']), 400, 'invalid_request', 'metadata');
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['another content type', 'application/json', '{}', 415],
    ['no content type', '', 'x', 415],
    ['another multipart type', 'multipart/mixed; boundary=x', '--x--\r\n', 415],
    ['an empty body', 'multipart/form-data; boundary=x', '', 400],
    ['no parts', 'multipart/form-data; boundary=x', '--x--\r\n', 400],
    [
      'no closing boundary',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc',
      400,
    ],
    [
      'a malformed part header',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition\u0001: x\r\n\r\nabc\r\n--x--\r\n',
      400,
    ],
    [
      'an empty file name',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="files"; filename=""\r\n\r\n\r\n--x--\r\n',
      400,
    ],
  ])('is rejected with %s', async (_name, type, body, status) => {
    const response = await gateway.send('POST', PATH, { body, headers: { 'Content-Type': type } });
    expectError(response, status, status === 415 ? 'unsupported_media_type' : 'invalid_request');
  });

  it('gets an error as soon as the service rejects it, while the client still sends', async () => {
    gateway.services.failWith = new AppError('conflict', 'A sync is running.');
    const upload = startUpload(gateway);
    const status = Promise.withResolvers<number | undefined>();
    upload.on('response', (response) => status.resolve(response.statusCode));
    expect(await status.promise).toBe(409);
    upload.destroy();
  });

  it('is cancelled at the service when the client disconnects', async () => {
    const upload = startUpload(gateway);
    upload.write('half a file');
    await waitUntil(async () => gateway.services.uploads[0]?.files.length === 1, {
      what: 'the file',
      timeoutMs: 5_000,
    });
    upload.destroy();
    await waitUntil(async () => gateway.services.uploads[0]?.aborted === true, {
      what: 'the service to receive the abort',
      timeoutMs: 5_000,
    });
  });

  it('is sent no faster than the service reads it, and is never buffered completely', async () => {
    const testGateway = await startTestGateway({ MAX_FILE_BYTES: `${1024 * FILE_LIMIT}` });
    const gate = Promise.withResolvers<void>();
    try {
      testGateway.services.uploadGate = gate.promise;
      const upload = startUpload(testGateway);
      const chunk = Buffer.alloc(1024 * 1024);
      const writeUntilFull = () => {
        while (upload.write(chunk));
      };
      writeUntilFull();
      upload.on('drain', writeUntilFull);
      let before = -1;
      await waitUntil(
        async () => {
          const sent = upload.socket?.bytesWritten ?? 0;
          const isStalled = sent > 0 && sent === before;
          before = sent;
          return isStalled;
        },
        { what: 'the upload to stall', timeoutMs: 20_000, intervalMs: 500 },
      );
      expect(before).toBeLessThan(32 * 1024 * 1024);
      upload.destroy();
    } finally {
      gate.resolve();
      await testGateway.stop();
    }
  });
});

describe('a signed upload', () => {
  const BOUNDARY = 'multipart/form-data; boundary=x';
  const PART = `--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ntext\r\n--x--\r\n`;
  const signed = (body: string, over = body, type = BOUNDARY) =>
    gateway.send('POST', PATH, {
      body,
      headers: { 'Content-Type': type, ...signedHeaders(gateway.keys.secretKey, over) },
    });

  it('is rejected without being read if its type or length is not acceptable', async () => {
    expectError(await signed(PART, PART, 'text/plain'), 415, 'unsupported_media_type');
    const upload = request(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: {
        'X-Service-Key': gateway.keys.secretKey,
        'Content-Type': BOUNDARY,
        'Content-Length': 2 * 1024 ** 3,
        ...signedHeaders(gateway.keys.secretKey, ''),
      },
    });
    upload.on('error', () => undefined);
    upload.flushHeaders();
    const [response] = await once(upload, 'response');
    expect(response.statusCode).toBe(413);
    upload.destroy();
  });

  it('is rejected without being read if its signature was used before', async () => {
    const headers = { 'Content-Type': BOUNDARY, ...signedHeaders(gateway.keys.secretKey, PART) };
    expect((await gateway.send('POST', PATH, { body: PART, headers })).status).toBe(202);
    const again = request(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { 'X-Service-Key': gateway.keys.secretKey, 'Content-Length': PART.length, ...headers },
    });
    again.on('error', () => undefined);
    again.flushHeaders();
    const [response] = await once(again, 'response');
    expect(response.statusCode).toBe(401);
    again.destroy();
  });

  it('cannot write much with a wrong signature, and does not block valid ones from other addresses', async () => {
    const limited = await startTestGateway({ MAX_HELD_UPLOAD_BYTES: '4096', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = (address: string, over: string) =>
        limited.send('POST', PATH, {
          body: PART,
          headers: {
            'Content-Type': BOUNDARY,
            'X-Forwarded-For': address,
            ...signedHeaders(limited.keys.secretKey, over),
          },
        });
      const statuses: number[] = [];
      for (let n = 0; n < 60; n += 1) statuses.push((await from('192.0.2.1', 'other')).status);
      const read = statuses.filter((status) => status === 401).length;
      expect(read).toBe(Math.ceil(4096 / PART.length));
      expect(new Set(statuses.slice(read))).toEqual(new Set([429]));
      const rejected = await from('192.0.2.1', PART);
      expectError(rejected, 429, 'rate_limited');
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await from('192.0.2.2', PART)).status).toBe(202);
    } finally {
      await limited.stop();
    }
  });
});
