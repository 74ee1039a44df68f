import { startS3Server } from '@lectern/testing';
import { s3Type } from '#s3/s3-type';
import { rewriting } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

runConformance({
  type: 's3',
  lacks: ['tokens', 'change feed', 'permissions'],
  start: async () => {
    const server = await startS3Server({ pageSize: 900 });
    const host = createTestHost({ allow: '127.0.0.1' });
    const keyOf = (name: string) => `docs/${name}.txt`;
    const config = { bucket: server.bucket, region: server.region, prefix: 'docs', endpoint: server.origin };
    const { accessKeyId, secretAccessKey } = server;
    let before = 0;
    return {
      open: (credentials) =>
        openType(
          s3Type,
          config,
          { accessKeyId, secretAccessKey: credentials === 'wrong' ? 'not-the-secret' : secretAccessKey },
          host,
        ),
      add: async (wanted) => {
        for (const { name, text } of wanted) server.put(keyOf(name), text);
        server.setPageSize(server.objects.size > 100 ? 900 : 7);
        return wanted.map(({ name }) => keyOf(name));
      },
      change: async (id, text) => server.put(id, text),
      rename: async (id, name) => {
        server.put(keyOf(name), server.objects.get(id)!.bytes);
        server.remove(id);
        return keyOf(name);
      },
      remove: async (id) => server.remove(id),
      fail: (plan) =>
        server.fail(
          plan &&
            ((_request, number) => {
              const fault = plan(number);
              return fault?.kind === 'cut' ? { kind: 'truncated' } : fault;
            }),
        ),
      before: (listener) => {
        before = server.requests.length;
        server.before(listener && (() => listener(server.requests.length - before)));
      },
      requests: () => server.requests.length,
      rewrite: rewriting(server),
      stop: async () => {
        await server.stop();
        await host.close();
      },
    };
  },
});
