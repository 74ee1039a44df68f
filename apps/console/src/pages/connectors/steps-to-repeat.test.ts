import { describe, expect, it } from '@jest/globals';
import type { ConnectorTypeName } from '#api/types.ts';
import { SET_UP_GUIDES } from '#pages/connectors/set-up-guides.ts';
import { repeatableSteps, stepsToRepeat } from '#pages/connectors/steps-to-repeat.ts';

const report = (name: string, code: string) => ({
  success: false,
  latencyMs: 1,
  checks: [{ name, ok: false, message: 'Failed.' }],
  error: { code, message: 'Failed.' },
});
const named = (type: ConnectorTypeName, name: string, code: string) =>
  stepsToRepeat(type, report(name, code)).map((step) => step.name);
const TYPES = Object.keys(SET_UP_GUIDES) as ConnectorTypeName[];

describe('the steps to repeat after a failed test', () => {
  it.each(TYPES)('of %s are in its guide, and exist for rejected credentials and missing access', (type) => {
    const names = (SET_UP_GUIDES[type]?.steps ?? []).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...repeatableSteps(type)]));
    expect(named(type, 'connection', 'auth')).not.toEqual([]);
    expect(named(type, 'files', 'forbidden')).not.toEqual([]);
  });

  it('depend on the failed check and the reason', () => {
    expect(named('slack', 'token', 'auth')).toEqual(['install']);
    expect(named('slack', 'channels', 'invalid')).toEqual(['invite']);
    expect(named('slack', 'messages', 'forbidden')).toEqual(['scopes', 'install']);
    expect(named('microsoft_365', 'channel messages', 'forbidden')).toEqual(['permissions', 'teams', 'consent']);
    expect(named('microsoft_365', 'people and groups', 'forbidden')).toEqual(['permissions', 'consent']);
    expect(named('postgresql', 'connection', 'transient')).toEqual(['connections']);
  });

  it('have the numbers of the guide', () => {
    expect(stepsToRepeat('s3', report('bucket', 'auth'))).toMatchObject([{ name: 'accessKey', number: 3 }]);
  });

  it('are none if no step can fix it, and if the test passed', () => {
    expect(named('s3', 'bucket', 'invalid')).toEqual([]);
    expect(named('custom', 'connection', 'auth')).toEqual([]);
    expect(stepsToRepeat('s3', { success: true, latencyMs: 1, checks: [] })).toEqual([]);
  });
});
