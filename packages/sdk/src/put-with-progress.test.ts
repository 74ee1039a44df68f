import { afterEach, describe, expect, it } from '@jest/globals';
import { Lectern } from './lectern.ts';

const BASE_URL = 'https://lectern.example.com';
const FILES = [{ name: 'a.txt', data: 'a' }];

/** The part of XMLHttpRequest (https://xhr.spec.whatwg.org) that an upload uses. */
class FakeXhr {
  static sent: FakeXhr[] = [];
  static respondingOrigin = BASE_URL;
  upload = { onprogress: (_event: { loaded: number }): void => undefined };
  status = 0;
  responseText = '';
  responseURL = '';
  onload = (): void => undefined;
  open(): void {}
  setRequestHeader(): void {}
  getAllResponseHeaders = () => 'content-type: application/json\r\n';
  abort(): void {}
  send({ size }: Blob): void {
    FakeXhr.sent.push(this);
    this.upload.onprogress({ loaded: size });
    this.status = 202;
    this.responseText = '{"data":{"jobId":"job_1"},"meta":{}}';
    this.responseURL = `${FakeXhr.respondingOrigin}/`;
    queueMicrotask(() => this.onload());
  }
}

function simulateWebPage(): void {
  FakeXhr.sent = [];
  FakeXhr.respondingOrigin = BASE_URL;
  Reflect.set(globalThis, 'XMLHttpRequest', FakeXhr);
}
afterEach(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

describe('an upload in a web page', () => {
  const lectern = new Lectern({ baseUrl: BASE_URL, key: 'lectern_sk_x' });

  it('reports its progress', async () => {
    simulateWebPage();
    const parts: number[] = [];
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
      void parts.push(sentBytes / totalBytes);
    expect(await lectern.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: 'job_1' });
    expect(parts).toEqual([1]);
  });

  it('fails if another origin responded', async () => {
    simulateWebPage();
    FakeXhr.respondingOrigin = 'https://elsewhere.example.com';
    const sent = lectern.files.upload('con_1', FILES, { onProgress: () => undefined });
    await expect(sent).rejects.toThrow('Set baseUrl');
  });

  it('uses a custom fetch and reports progress once, at the end', async () => {
    simulateWebPage();
    const parts: number[] = [];
    const custom: typeof fetch = async () => Response.json({ data: { jobId: 'job_2' }, meta: {} });
    const withFetch = new Lectern({ baseUrl: BASE_URL, key: 'lectern_sk_x', fetch: custom });
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
      void parts.push(sentBytes / totalBytes);
    expect(await withFetch.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: 'job_2' });
    expect(parts).toEqual([1]);
    expect(FakeXhr.sent).toEqual([]);
  });

  it('does not start after the caller aborted', async () => {
    simulateWebPage();
    const controller = new AbortController();
    const signing = new Lectern({ baseUrl: BASE_URL, key: 'lectern_sk_x', sign: true });
    const sent = signing.files.upload('con_1', FILES, { onProgress: () => undefined, signal: controller.signal });
    controller.abort(new Error('aborted by the caller'));
    await expect(sent).rejects.toThrow('aborted by the caller');
    expect(FakeXhr.sent).toEqual([]);
  });
});

describe('an upload outside a web page', () => {
  it('counts the bytes that a custom fetch reads', async () => {
    const parts: number[] = [];
    const custom: typeof fetch = async (_url, init) => {
      const sentBytes = (await new Response(init?.body ?? null).arrayBuffer()).byteLength;
      return Response.json({ data: { jobId: String(sentBytes) }, meta: {} });
    };
    const lectern = new Lectern({ baseUrl: BASE_URL, key: 'lectern_sk_x', fetch: custom });
    const onProgress = ({ sentBytes }: { sentBytes: number }) => void parts.push(sentBytes);
    expect(await lectern.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: String(parts.at(-1)) });
  });
});
