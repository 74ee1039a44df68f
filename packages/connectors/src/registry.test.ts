import { describe, expect, it } from '@jest/globals';
import { findConnectorType } from '#registry';

const issuesOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('connector types', () => {
  it('are listed in the error for an unknown type', () => {
    expect(issuesOf(() => findConnectorType('ftp'))).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'type', message: expect.stringContaining('upload') }] },
    });
  });

  it('reject each unknown field', () => {
    const upload = findConnectorType('upload');
    expect(upload.checkConfig(undefined)).toEqual({});
    expect(upload.checkConfig({ principals: ['public', 'user:ada@example.com'] })).toEqual({
      principals: ['public', 'user:ada@example.com'],
    });
    expect(issuesOf(() => upload.checkConfig({ bucket: 'b', region: 'r', principals: ['unknown'] }))).toMatchObject({
      code: 'invalid_request',
      details: {
        issues: expect.arrayContaining([
          { path: 'config.bucket', message: 'is not a field of this type' },
          { path: 'config.region', message: 'is not a field of this type' },
          { path: 'config.principals[0]', message: 'must be public, user:<email> or group:…' },
        ]),
      },
    });
  });

  it('accept a schedule, which is not passed to the source', () => {
    const upload = findConnectorType('upload');
    expect(upload.checkConfig({ syncEveryMinutes: 15, principals: ['public'] })).toEqual({
      syncEveryMinutes: 15,
      principals: ['public'],
    });
    expect(issuesOf(() => upload.checkConfig({ syncEveryMinutes: -1, bucket: 'b' }))).toMatchObject({
      details: {
        issues: [
          { path: 'config.bucket', message: 'is not a field of this type' },
          { path: 'config.syncEveryMinutes' },
        ],
      },
    });
  });

  it('never include a credential in an error', () => {
    const error = issuesOf(() => findConnectorType('upload').checkCredentials({ token: 'a-secret' }));
    expect(error).toMatchObject({ details: { issues: [{ path: 'credentials.token' }] } });
    expect(JSON.stringify(error) + String(error)).not.toContain('a-secret');
  });
});
