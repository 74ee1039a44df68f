import { describe, expect, it } from '@jest/globals';
import { domainPrincipal, toPrincipal, toPrincipals, userPrincipal } from '#principals';

describe('toPrincipal', () => {
  it('ignores the case of email addresses', () => {
    expect(toPrincipal('user:Ada@Example.com')).toBe(userPrincipal(' ADA@example.com '));
  });

  it('keeps the case of ids', () => {
    expect(toPrincipal('user:slack:U12')).toBe('user:slack:U12');
    expect(toPrincipal('group:github:Octo/Team')).toBe('group:github:Octo/Team');
  });

  it('ignores the case of domains', () => {
    expect(toPrincipal(domainPrincipal('Example.com'))).toBe('group:domain:example.com');
  });

  it('returns undefined for invalid text', () => {
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
