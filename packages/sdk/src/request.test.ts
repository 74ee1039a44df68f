import { describe, expect, it } from '@jest/globals';
import { fillPath, toOutgoing } from './request.ts';

describe('fillPath', () => {
  it('encodes each id as one path segment', () => {
    expect(fillPath('/agents/{id}/memories/{memoryId}', { id: 'a/b', memoryId: '..x' })).toBe(
      '/agents/a%2Fb/memories/..x',
    );
  });

  it.each(['', '.', '..', undefined, 7])('rejects the id %j, which would change the path', (memoryId) => {
    const fill = () => fillPath('/agents/{id}/memories/{memoryId}', { id: 'agent_1', memoryId });
    expect(fill).toThrow(TypeError);
  });
});

describe('toOutgoing', () => {
  it.each(['chat', 'regenerate'] as const)("gives %s longer than the server's limit of 120 s", (id) => {
    const { timeoutMs } = toOutgoing(id, { path: { teamId: 'team_1', id: 'conv_1' }, body: {} }, {});
    expect(timeoutMs).toBeGreaterThan(120_000);
  });
});
