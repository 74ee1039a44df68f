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

  it('adds no year or number of an earlier question to one with its own', () => {
    const earlier = ['Who won the regatta in 2018?'];
    expect(selfContainedQuestion(earlier, 'And in 2019?')).toBe('And in 2019? (won regatta)');
    expect(selfContainedQuestion(earlier, 'And in Oslo?')).toContain('2018');
  });

  it.each([
    [[LEAVE], 'Which laptops does the company provide to new engineers?'],
    [[LEAVE], 'Which encryption software must every laptop have?'],
    [[], 'How do I request it?'],
  ])('returns a self-contained question unchanged: %j, %s', (earlier, message) => {
    expect(selfContainedQuestion(earlier, message)).toBe(message);
  });
});
