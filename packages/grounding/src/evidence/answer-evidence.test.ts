import { describe, expect, it } from '@jest/globals';
import { answerEvidence } from '#evidence/answer-evidence';
import { expectedAnswer } from '#evidence/answer-type';

describe('expectedAnswer', () => {
  it.each([
    ['How many days off do we get?', 'count'],
    ['Wie viele Tage habe ich frei?', 'count'],
    ['How much does the desk cost?', 'money'],
    ['What percentage is matched?', 'percent'],
    ['How long is the trial?', 'duration'],
    ['How often do we meet?', 'frequency'],
    ['When does it start?', 'date'],
    ['Who leads the team?', 'person'],
    ['Where is the archive?', 'place'],
    ['Why was it closed?', 'reason'],
    ['What is a kickoff?', 'definition'],
    ['May I bring a dog?', 'any'],
  ])('expects for "%s" an answer of type %s', (question, type) => {
    expect(expectedAnswer(question).type).toBe(type);
  });
});

describe('answerEvidence', () => {
  const evidence = (question: string, text: string): number => answerEvidence(expectedAnswer(question), text, 'en');

  it('requires the number next to the counted noun', () => {
    expect(evidence('How many days off do we get?', 'You get 25 paid days.')).toBe(1);
    expect(evidence('How many days off do we get?', 'The 3 offices close at noon on such days.')).toBeLessThan(0.5);
    expect(evidence('How many days off do we get?', 'Ask your lead.')).toBe(0);
  });

  it.each([
    ['How much does the desk cost?', 'It is $120.', 'It is brown.'],
    ['When does it start?', 'It starts in March.', 'It starts slowly.'],
    ['How long is the trial?', 'It runs for six months.', 'It runs well.'],
    ['Where is the archive?', 'It is in Vienna.', 'It holds maps.'],
    ['How often do we meet?', 'We meet every week.', 'We meet outdoors.'],
  ])('answers the question "%s" with "%s" rather than "%s"', (question, right, wrong) => {
    expect(evidence(question, right)).toBeGreaterThan(evidence(question, wrong));
  });
});
