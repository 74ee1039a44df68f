import { describe, expect, it } from '@jest/globals';
import { fillPath } from './request.ts';

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
