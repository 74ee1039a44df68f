import { describe, expect, it } from '@jest/globals';
import { parseChanges, savedValues, without } from '#pages/agents/agent-values.ts';

describe('the unsaved changes of an agent', () => {
  it('are those that differ from what is saved', () => {
    const saved = { ...savedValues(undefined), name: 'Helper', tools: ['calculate'] };
    expect(without({ name: 'Helper', tools: ['calculate'], memory: 'off' }, saved)).toEqual({ memory: 'off' });
    expect(without({ tools: [] }, saved)).toEqual({ tools: [] });
  });

  it('keep what was edited while other values were being saved', () => {
    expect(without({ name: 'Second', memory: 'off' }, { name: 'First', memory: 'off' })).toEqual({ name: 'Second' });
  });

  it('are read from a draft, without what is not a setting', () => {
    const changes = { name: 'Helper', systemPrompt: 'Help.', memory: 'auto', tools: ['calculate'], collections: [] };
    expect(parseChanges(JSON.stringify({ ...changes, other: 1, description: 5 }))).toEqual(changes);
    expect(parseChanges(JSON.stringify({ memory: 'always', tools: 'calculate', collections: [1] }))).toEqual({});
    for (const text of ['', 'x', 'null', '[]', '"x"']) expect(parseChanges(text)).toEqual({});
  });
});
