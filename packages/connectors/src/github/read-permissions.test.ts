import { describe, expect, it } from '@jest/globals';
import { publicAddresses } from '../host.ts';
import { groupOf } from './read-permissions.ts';

describe('the readers of a repository that is not public', () => {
  const repo = { owner: 'Acme', name: 'Docs' };

  it('are a group by owner and name at github.com', () => {
    expect(groupOf(repo, publicAddresses.github)).toBe('group:github:acme/docs');
  });

  it('are another group on a server of the operator’s own', () => {
    expect(groupOf(repo, 'https://github.example.com/api/v3')).toBe('group:github:github.example.com/acme/docs');
  });
});
