import { describe, expect, it } from '@jest/globals';
import { selfContainedQuestion } from '#turn/follow-up';

const LEAVE = 'How long is parental leave?';

describe('selfContainedQuestion', () => {
  it.each([
    [[LEAVE], 'And for adoptive parents?'],
    [[LEAVE], 'How do I request it?'],
    [[LEAVE], 'Why?'],
    [[LEAVE, 'How do I request it?'], 'Can they refuse that?'],
  ])('adds the topic that the question depends on: %j, %s', (earlier, message) => {
    const question = selfContainedQuestion(earlier, message);
    expect(question.startsWith(message)).toBe(true);
    expect(question).toContain('leave');
  });

  it.each([
    [[LEAVE], 'Which laptops does the company provide to new engineers?'],
    [[LEAVE], 'Which encryption software must every laptop have?'],
    [[], 'How do I request it?'],
  ])('returns a self-contained question unchanged: %j, %s', (earlier, message) => {
    expect(selfContainedQuestion(earlier, message)).toBe(message);
  });
});
