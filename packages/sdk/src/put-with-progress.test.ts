import { afterEach, describe, expect, it } from '@jest/globals';
import { Lectern } from './lectern.ts';

const URL_OF_LECTERN = 'https://lectern.example.com';
const FILES = [{ name: 'a.txt', data: 'a' }];

/** As much of a browser's XMLHttpRequest as an upload meets (https://xhr.spec.whatwg.org). */
class PageRequest {
  static sent: PageRequest[] = [];
  static answeredBy = URL_OF_LECTERN;
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
    PageRequest.sent.push(this);
    this.upload.onprogress({ loaded: size });
    this.status = 202;
    this.responseText = '{"data":{"jobId":"job_1"},"meta":{}}';
    this.responseURL = `${PageRequest.answeredBy}/`;
    queueMicrotask(() => this.onload());
  }
}

function inPage(): void {
  PageRequest.sent = [];
  PageRequest.answeredBy = URL_OF_LECTERN;
  Reflect.set(globalThis, 'XMLHttpRequest', PageRequest);
}
afterEach(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

describe('an upload in a page', () => {
  const lectern = new Lectern({ baseUrl: URL_OF_LECTERN, key: 'lectern_sk_x' });

  it('tells how far it is', async () => {
    inPage();
    const parts: number[] = [];
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
      void parts.push(sentBytes / totalBytes);
    expect(await lectern.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: 'job_1' });
    expect(parts).toEqual([1]);
  });

  it('is not taken for done where another origin answered', async () => {
    inPage();
    PageRequest.answeredBy = 'https://elsewhere.example.com';
    const sent = lectern.files.upload('con_1', FILES, { onProgress: () => undefined });
    await expect(sent).rejects.toThrow('Set baseUrl');
  });

  it('is sent by the fetch that was given, which tells of its end alone', async () => {
    inPage();
    const parts: number[] = [];
    const own: typeof fetch = async () => Response.json({ data: { jobId: 'job_2' }, meta: {} });
    const withFetch = new Lectern({ baseUrl: URL_OF_LECTERN, key: 'lectern_sk_x', fetch: own });
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
      void parts.push(sentBytes / totalBytes);
    expect(await withFetch.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: 'job_2' });
    expect(parts).toEqual([1]);
    expect(PageRequest.sent).toEqual([]);
  });

  it('does not begin where the caller has had enough', async () => {
    inPage();
    const controller = new AbortController();
    const signing = new Lectern({ baseUrl: URL_OF_LECTERN, key: 'lectern_sk_x', sign: true });
    const sent = signing.files.upload('con_1', FILES, { onProgress: () => undefined, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(PageRequest.sent).toEqual([]);
  });
});

describe('an upload elsewhere', () => {
  it('counts what the fetch that was given takes', async () => {
    const parts: number[] = [];
    const own: typeof fetch = async (_url, init) => {
      const sentBytes = (await new Response(init?.body ?? null).arrayBuffer()).byteLength;
      return Response.json({ data: { jobId: String(sentBytes) }, meta: {} });
    };
    const lectern = new Lectern({ baseUrl: URL_OF_LECTERN, key: 'lectern_sk_x', fetch: own });
    const onProgress = ({ sentBytes }: { sentBytes: number }) => void parts.push(sentBytes);
    expect(await lectern.files.upload('con_1', FILES, { onProgress })).toEqual({ jobId: String(parts.at(-1)) });
  });
});
