import { describe, expect, it } from '@jest/globals';
import { groupOf } from '#github/read-permissions';
import { publicAddresses } from '#host';

describe('the group of a non-public repository', () => {
  const repo = { owner: 'Acme', name: 'Docs' };

  it('contains owner and name for github.com', () => {
    expect(groupOf(repo, publicAddresses.github)).toBe('group:github:acme/docs');
  });

  it('contains the host for a GitHub Enterprise Server', () => {
    expect(groupOf(repo, 'https://github.example.com/api/v3')).toBe('group:github:github.example.com/acme/docs');
  });
});
