import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readServers } from '#nats/read-servers';

describe('readServers', () => {
  it('keeps addresses without a user unchanged', () => {
    expect(readServers('nats://a:4222, b:1')).toEqual({ servers: ['nats://a:4222', 'b:1'] });
    expect(readServers('tls://[::1]:4222')).toEqual({ servers: ['tls://[::1]:4222'] });
  });

  it('extracts the user and password, or the token', () => {
    expect(readServers('nats://u:p@a:4222,nats://u:p@b:4222')).toEqual({
      servers: ['nats://a:4222', 'nats://b:4222'],
      user: 'u',
      pass: 'p',
    });
    expect(readServers('nats://token@a:4222')).toEqual({ servers: ['nats://a:4222'], token: 'token' });
  });

  it('decodes percent-encoded users and passwords', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (user, pass) => {
        const login = `${encodeURIComponent(user)}:${encodeURIComponent(pass)}`;
        expect(readServers(`nats://${login}@a:1`)).toEqual({ servers: ['nats://a:1'], user, pass });
      }),
    );
  });
});
