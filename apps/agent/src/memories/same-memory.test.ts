import { describe, expect, it } from '@jest/globals';
import { isSameMemory } from '#memories/same-memory';

describe('two memories', () => {
  it.each([
    ['The user prefers answers in German.', 'User prefers answers in German'],
    ['The customer prefers email contact', 'Customer prefers to be contacted by email.'],
    ['The user likes short answers', 'the user prefers short answers'],
    [
      'The release train leaves every second Tuesday at 10:00.',
      'Release trains leave every second Tuesday at 10 sharp',
    ],
    ['Ada works in the Berlin office', 'Ada works in the Berlin office.'],
    ['Die Nutzerin bevorzugt kurze Antworten', 'Die Nutzerin bevorzugt kurze Antworten!'],
    ['好きな色は青です', '好きな色は青です。'],
  ])('treats %j and %j as the same', (a, b) => {
    expect([isSameMemory(a, b), isSameMemory(b, a)]).toEqual([true, true]);
  });

  it.each([
    ['The user prefers tea', 'The user does not prefer tea'],
    ["We don't deploy on Fridays", 'We deploy on Fridays'],
    ['The meeting is on Monday', 'The meeting is on Friday'],
    [
      'The weekly team meeting takes place every Monday at the Berlin office',
      'The weekly team meeting takes place every Friday at the Berlin office',
    ],
    ['The budget is 5,000 euros', 'The budget is 50,000 euros'],
    ['The user prefers tea', 'The user prefers coffee'],
    ['The user prefers tea', 'The user prefers tea, hates coffee, works in Berlin and has two dogs'],
    ['Die Lieferung kommt', 'Die Lieferung kommt nicht'],
    ['!!!', '???'],
  ])('treats %j and %j as different', (a, b) => {
    expect([isSameMemory(a, b), isSameMemory(b, a)]).toEqual([false, false]);
  });
});
