import { describe, expect, it } from '@jest/globals';
import { fillPath, toOutgoing } from './request.ts';

describe('fillPath', () => {
  it('encodes ids, so that each stays one part of the path', () => {
    expect(fillPath('/agents/{id}/memories/{memoryId}', { id: 'a/b', memoryId: '..x' })).toBe(
      '/agents/a%2Fb/memories/..x',
    );
  });

  it.each(['', '.', '..', undefined, 7])('refuses %j, which would be the path of something else', (memoryId) => {
    const filled = () => fillPath('/agents/{id}/memories/{memoryId}', { id: 'agent_1', memoryId });
    expect(filled).toThrow(TypeError);
  });
});

describe('toOutgoing', () => {
  it.each(['chat', 'regenerate'] as const)(
    'leaves %s longer than the 120 s that the service takes for a reply',
    (id) => {
      const { timeoutMs } = toOutgoing(id, { path: { teamId: 'team_1', id: 'conv_1' }, body: {} }, {});
      expect(timeoutMs).toBeGreaterThan(120_000);
    },
  );
});
