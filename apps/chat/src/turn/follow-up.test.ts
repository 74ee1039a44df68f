import { describe, expect, it } from '@jest/globals';
import { selfStandingQuestion } from '#turn/follow-up';

const LEAVE = 'How long is parental leave?';

describe('a question in a conversation', () => {
  it.each([
    [[LEAVE], 'And for adoptive parents?'],
    [[LEAVE], 'How do I request it?'],
    [[LEAVE], 'Why?'],
    [[LEAVE, 'How do I request it?'], 'Can they refuse that?'],
  ])('is given the topic that it leans on: %j, %s', (earlier, message) => {
    const question = selfStandingQuestion(earlier, message);
    expect(question.startsWith(message)).toBe(true);
    expect(question).toContain('leave');
  });

  it.each([
    [[LEAVE], 'Which laptops does the company provide to new engineers?'],
    [[LEAVE], 'Which encryption software must every laptop have?'],
    [[], 'How do I request it?'],
  ])('stays as it is where it stands by itself: %j, %s', (earlier, message) => {
    expect(selfStandingQuestion(earlier, message)).toBe(message);
  });
});
