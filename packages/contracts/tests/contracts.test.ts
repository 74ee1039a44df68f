import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as contracts from '#index';

const PROTO = fileURLToPath(new URL('../../../proto', import.meta.url));
const BUF = fileURLToPath(new URL('../../../node_modules/.bin/buf', import.meta.url));

const services = Object.values(contracts).filter(
  (value): value is Extract<typeof value, { readonly fullName: string }> =>
    typeof value === 'object' && 'fullName' in value,
);

describe('the contracts', () => {
  it('keep to the lint rules of buf.yaml', async () => {
    await expect(promisify(execFile)(BUF, ['lint', PROTO], { timeout: 30_000 })).resolves.toMatchObject({ stdout: '' });
  });

  it('let only reads and repeatable writes be retried', () => {
    const repeatable = services.flatMap(({ name, methods }) =>
      Object.values(methods)
        .filter(({ options }) => 'idempotencyLevel' in options)
        .map((method) => `${name}.${method.name}`),
    );
    for (const name of repeatable) {
      expect(name).toMatch(
        /\.(Get|List|Load|Export|Resolve|Search|Suggest|Embed|Describe|Filter|Query|Index|Fail|Set|Replace|Push|Drop|DeleteConnectorDocuments)/,
      );
    }
  });

  it('carry bytes, one-ofs and times through encoding', () => {
    const part = { $case: 'chunk', value: Buffer.from([0, 255]) } as const;
    const upload = contracts.UploadFilesRequest.encode({ part }).finish();
    expect(contracts.UploadFilesRequest.decode(upload)).toEqual({ part });
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    const job = contracts.SyncJob.encode(contracts.SyncJob.fromPartial({ id: 'job_1', startedAt })).finish();
    expect(contracts.SyncJob.decode(job)).toMatchObject({ id: 'job_1', startedAt });
  });
});
