import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import { expectRefusal } from './support/refusal.ts';
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

/** Begins an upload by hand and leaves the rest to the test. */
function begin(to: TestGateway) {
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
  it('carries each file with its path and type, and the metadata before or after them', async () => {
    const metadata: Field = ['metadata', JSON.stringify({ author: 'Ada', tags: ['hr'] })];
    for (const fields of [
      [metadata, file('hr/leave.md', '# Leave', 'text/markdown'), file('Überstunden ✓.txt')],
      [file('hr/leave.md', '# Leave', 'text/markdown'), file('Überstunden ✓.txt'), metadata],
    ]) {
      const answer = await send(...fields);
      expect(answer.status).toBe(202);
      expect(answer.json.data).toEqual({
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

  it('takes empty files, and files up to the limit exactly', async () => {
    expect((await send(file('empty.txt', ''), file('full.bin', new Uint8Array(FILE_LIMIT)))).status).toBe(202);
    expect(gateway.services.uploads[0]?.files.map(({ sizeBytes }) => sizeBytes)).toEqual([0, FILE_LIMIT]);
  });

  it('is refused where a file is beyond the limit, and nothing of it is kept', async () => {
    const answer = await send(file('ok.txt'), file('big.bin', new Uint8Array(FILE_LIMIT + 1)));
    expectRefusal(answer, 413, 'payload_too_large');
    const [upload] = gateway.services.uploads;
    await waitUntil(async () => upload?.brokenOff === true, {
      what: 'the service to receive the abort',
      timeoutMs: 5_000,
    });
  });

  it('is refused where it has too many files, or none', async () => {
    expectRefusal(await send(...['a', 'b', 'c', 'd'].map((name) => file(name))), 413, 'payload_too_large', '3 files');
    expectRefusal(await send(['metadata', '{}']), 400, 'invalid_request', 'files');
  });

  it('is refused where its fields are not what they should be', async () => {
    expectRefusal(await send(file('a'), ['surprise', '1']), 400, 'invalid_request', 'surprise');
    expectRefusal(await send(['file', new File(['x'], 'a')]), 400, 'invalid_request', 'file');
    expectRefusal(await send(['files', 'not a file']), 400, 'invalid_request', 'files');
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
      expectRefusal(await send(['metadata', metadata], file('a')), 400, 'invalid_request', 'metadata');
      expectRefusal(await send(file('a'), ['metadata', metadata]), 400, 'invalid_request', 'metadata');
    }
    expectRefusal(await send(['metadata', '{}'], file('a'), ['metadata', '{}']), 400, 'invalid_request', 'metadata');
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['another type', 'application/json', '{}', 415],
    ['no type', '', 'x', 415],
    ['another multipart', 'multipart/mixed; boundary=x', '--x--\r\n', 415],
    ['nothing in it', 'multipart/form-data; boundary=x', '', 400],
    ['no parts', 'multipart/form-data; boundary=x', '--x--\r\n', 400],
    [
      'no end',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc',
      400,
    ],
    [
      'a broken head',
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
  ])('is refused with %s', async (_name, type, body, status) => {
    const answer = await gateway.send('POST', PATH, { body, headers: { 'Content-Type': type } });
    expectRefusal(answer, status, status === 415 ? 'unsupported_media_type' : 'invalid_request');
  });

  it('is answered as soon as the service refuses it, though the client still sends', async () => {
    gateway.services.failWith = new AppError('conflict', 'A sync is at work.');
    const upload = begin(gateway);
    const answered = Promise.withResolvers<number | undefined>();
    upload.on('response', (answer) => answered.resolve(answer.statusCode));
    expect(await answered.promise).toBe(409);
    upload.destroy();
  });

  it('is cancelled at the service when the client leaves in the middle', async () => {
    const upload = begin(gateway);
    upload.write('half a file');
    await waitUntil(async () => gateway.services.uploads[0]?.files.length === 1, {
      what: 'the file',
      timeoutMs: 5_000,
    });
    upload.destroy();
    await waitUntil(async () => gateway.services.uploads[0]?.brokenOff === true, {
      what: 'the break',
      timeoutMs: 5_000,
    });
  });

  it('goes no faster than the service takes it, and is never held whole', async () => {
    const roomy = await startTestGateway({ MAX_FILE_BYTES: `${1024 * FILE_LIMIT}` });
    const opened = Promise.withResolvers<void>();
    try {
      roomy.services.uploadGate = opened.promise;
      const upload = begin(roomy);
      const piece = Buffer.alloc(1024 * 1024);
      const flood = () => {
        while (upload.write(piece));
      };
      flood();
      upload.on('drain', flood);
      let before = -1;
      await waitUntil(
        async () => {
          const sent = upload.socket?.bytesWritten ?? 0;
          const still = sent > 0 && sent === before;
          before = sent;
          return still;
        },
        { what: 'the upload to stall', timeoutMs: 20_000, intervalMs: 500 },
      );
      expect(before).toBeLessThan(32 * 1024 * 1024);
      upload.destroy();
    } finally {
      opened.resolve();
      await roomy.stop();
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

  it('is rejected unread if its type or length is not acceptable', async () => {
    expectRefusal(await signed(PART, PART, 'text/plain'), 415, 'unsupported_media_type');
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
    const [answer] = await once(upload, 'response');
    expect(answer.statusCode).toBe(413);
    upload.destroy();
  });

  it('is rejected unread if its signature was used before', async () => {
    const headers = { 'Content-Type': BOUNDARY, ...signedHeaders(gateway.keys.secretKey, PART) };
    expect((await gateway.send('POST', PATH, { body: PART, headers })).status).toBe(202);
    const again = request(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { 'X-Service-Key': gateway.keys.secretKey, 'Content-Length': PART.length, ...headers },
    });
    again.on('error', () => undefined);
    again.flushHeaders();
    const [answer] = await once(again, 'response');
    expect(answer.statusCode).toBe(401);
    again.destroy();
  });

  it('cannot write much with a wrong signature, while valid ones from elsewhere continue', async () => {
    const held = await startTestGateway({ MAX_HELD_UPLOAD_BYTES: '4096', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = (address: string, over: string) =>
        held.send('POST', PATH, {
          body: PART,
          headers: {
            'Content-Type': BOUNDARY,
            'X-Forwarded-For': address,
            ...signedHeaders(held.keys.secretKey, over),
          },
        });
      const statuses: number[] = [];
      for (let n = 0; n < 60; n += 1) statuses.push((await from('192.0.2.1', 'other')).status);
      const read = statuses.filter((status) => status === 401).length;
      expect(read).toBe(Math.ceil(4096 / PART.length));
      expect(new Set(statuses.slice(read))).toEqual(new Set([429]));
      const refused = await from('192.0.2.1', PART);
      expectRefusal(refused, 429, 'rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await from('192.0.2.2', PART)).status).toBe(202);
    } finally {
      await held.stop();
    }
  });
});
