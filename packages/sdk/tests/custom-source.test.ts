import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { respond, startServer, type TestServer } from '@lectern/testing/fake-api';
import { CustomSource, Lectern, type SourceChange } from '../src/index.ts';

let server: TestServer;
let source: CustomSource;
/** The items of each push. */
let pushed: readonly (readonly { readonly id: string }[])[];
/** The requests, without those of pushes. */
const calls = () =>
  server.requests.filter(({ url }) => !url.includes('/items')).map(({ method, url }) => `${method} ${url}`);
const path = '/api/v1/connectors/con_1';
const put = (id: string, content = 'Text.'): SourceChange => ({ action: 'put', id, revision: 1, title: id, content });

beforeEach(async () => {
  pushed = [];
  server = await startServer();
  server.handle = ({ url, method, body }, response) => {
    if (url.includes('/items')) {
      const { items }: { items: readonly { readonly id: string }[] } = JSON.parse(String(body));
      pushed = [...pushed, items];
      const results = items.map(({ id }) =>
        id === ''
          ? { status: 'failed', id: null, revision: null, error: { code: 'invalid_request', message: 'id: is empty' } }
          : { status: 'accepted', id, revision: 1, error: null },
      );
      const failed = results.filter(({ status }) => status === 'failed').length;
      const data = { accepted: items.length - failed, ignored: 0, failed, jobId: 'job_1', results };
      return respond(response, 200, { data, meta: {} });
    }
    const status = method === 'DELETE' ? 'cancelled' : url.endsWith('/complete') ? 'completed' : 'open';
    respond(response, 200, { data: { id: 'snap_1', status }, meta: {} });
  };
  source = new CustomSource(new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' }), 'con_1');
});
afterEach(() => server.stop());

describe('a push', () => {
  it('is split into batches that fit into a request, in the order of the changes', async () => {
    const many = Array.from({ length: 250 }, (_, n) => put(`item-${n}`));
    const large = [put('large-1', 'x'.repeat(3_000_000)), put('large-2', 'x'.repeat(3_000_000))];
    expect(await source.push([...many, ...large])).toEqual({ accepted: 252, ignored: 0, failures: [], jobId: 'job_1' });
    expect(pushed.map((items) => items.length)).toEqual([100, 100, 51, 1]);
    expect(pushed.flat().map(({ id }) => id)).toEqual([...many, ...large].map(({ id }) => id));
  });
});

describe('a replacement of everything', () => {
  it('completes the snapshot after all items', async () => {
    const { snapshot } = await source.replaceAll([put('a'), put('b')]);
    expect(snapshot.status).toBe('completed');
    expect(calls()).toEqual([`POST ${path}/snapshots`, `POST ${path}/snapshots/snap_1/complete`]);
  });

  it('deletes nothing if the id of an item is not valid, and reports the item', async () => {
    const { accepted, failures, snapshot } = await source.replaceAll([put('a'), put('')]);
    expect(snapshot.status).toBe('cancelled');
    expect({ accepted, failures: failures.map(({ error }) => error?.message) }).toEqual({
      accepted: 1,
      failures: ['id: is empty'],
    });
    expect(calls()).toEqual([`POST ${path}/snapshots`, `DELETE ${path}/snapshots/snap_1`]);
  });

  it('deletes nothing if the iteration fails', async () => {
    async function* failing() {
      yield put('a');
      throw new Error('The wiki is down.');
    }
    await expect(source.replaceAll(failing())).rejects.toThrow('The wiki is down.');
    expect(calls()).toEqual([`POST ${path}/snapshots`, `DELETE ${path}/snapshots/snap_1`]);
  });
});
