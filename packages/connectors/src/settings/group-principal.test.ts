import { describe, expect, it } from '@jest/globals';
import { toPrincipal } from '@lectern/contracts';
import { groupPrincipal } from '#settings/group-principal';

describe('groupPrincipal', () => {
  it('includes the site, if there is one', () => {
    expect(groupPrincipal('google_drive', 'team@example.com')).toBe('group:google_drive:team@example.com');
    expect(groupPrincipal('confluence', 'admins', 'wiki.example.com')).toBe('group:confluence:wiki.example.com/admins');
  });

  it('is unique and valid for any group name', () => {
    const groups = [
      ['admins', 'wiki.example.com/a'],
      ['a/admins', 'wiki.example.com'],
      ['all staff', 'wiki.example.com'],
      ['all%20staff', 'wiki.example.com'],
      ['all\tstaff', 'wiki.example.com'],
    ] as const;
    const principals = groups.map(([id, site]) => groupPrincipal('confluence', id, site));
    expect(new Set(principals).size).toBe(groups.length);
    expect(principals.map(toPrincipal)).toEqual(principals);
  });
});
