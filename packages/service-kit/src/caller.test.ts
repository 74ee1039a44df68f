import { describe, expect, it } from '@jest/globals';
import { Caller as CallerMessage } from '@lectern/contracts';
import { Metadata } from 'nice-grpc-common';
import { type Caller, readCaller, requiredFilter, requireFullScope, requireNoFilters, writeCaller } from '#caller';

const plain: Caller = {
  teamId: 'team_1',
  keyId: 'key_1',
  scope: { kind: 'only', ids: ['col_1'] },
  userEmail: 'ada@example.com',
};
const filtered: Caller = { ...plain, scope: { kind: 'all' }, filters: { 'metadata.shelf': { $in: ['a', 1, true] } } };

function sent(caller: Caller): Metadata {
  const metadata = new Metadata();
  writeCaller(metadata, caller);
  return metadata;
}

describe('a caller', () => {
  it.each([
    ['without filters', plain],
    ['with filters', filtered],
    ['with filters that allow everything', { ...plain, filters: {} }],
    ['that is a signed-in person', { ...plain, mayManage: true }],
    ['that chose a language', { ...plain, language: 'de' }],
    ['that may not run agents', { ...plain, noAgents: true }],
    ['that is a publishable key', { ...plain, userEmail: undefined, publicOnly: true }],
  ] satisfies [string, Caller][])('%s arrives unchanged', (_name, caller) => {
    expect(readCaller(sent(caller))).toEqual(caller);
  });

  it('with filters has no team for a service that does not know filters', () => {
    const bytes = sent(filtered).get('lectern-caller-bin');
    if (bytes === undefined) throw new Error('The caller is missing.');
    expect(CallerMessage.decode(bytes)).toMatchObject({ teamId: '', filteredTeamId: 'team_1' });
  });

  it('with filters is rejected where filters cannot apply', () => {
    expect(() => requireNoFilters(filtered, 'list documents')).toThrow('cannot list documents');
    expect(() => requireFullScope(filtered, 'manage API keys')).toThrow('cannot manage API keys');
    expect(() => requireNoFilters(plain, 'list documents')).not.toThrow();
  });

  it('with filters that this version does not know is rejected', () => {
    expect(() => requiredFilter({ ...plain, filters: { future: 1 } })).toThrow('invalid');
    expect(requiredFilter(plain)).toBeUndefined();
    expect(requiredFilter(filtered)).toEqual({ field: 'metadata.shelf', op: 'in', value: ['a', 1, true] });
  });
});
