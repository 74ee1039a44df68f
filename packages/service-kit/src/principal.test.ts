import { describe, expect, it } from '@jest/globals';
import { domainPrincipal, toPrincipal, toPrincipals, userPrincipal } from './principal.ts';

describe('a principal', () => {
  it('by e-mail is the same in any case', () => {
    expect(toPrincipal('user:Ada@Example.com')).toBe(userPrincipal(' ADA@example.com '));
  });

  it('by an id keeps its case', () => {
    expect(toPrincipal('user:slack:U12')).toBe('user:slack:U12');
    expect(toPrincipal('group:github:Octo/Team')).toBe('group:github:Octo/Team');
  });

  it('of a domain is the same in any case', () => {
    expect(toPrincipal(domainPrincipal('Example.com'))).toBe('group:domain:example.com');
  });

  it('of no known form is none', () => {
    for (const text of [
      '',
      'Public',
      'ada@example.com',
      'user:',
      'team:x',
      'user:a b',
      `user:${'x'.repeat(320)}`,
      'group:a\0',
      'group:\uD800',
    ]) {
      expect(toPrincipal(text)).toBeUndefined();
    }
    expect(toPrincipals(['public', 'nonsense', 'public'])).toEqual(['public']);
  });
});
