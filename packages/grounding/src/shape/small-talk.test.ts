import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { smallTalkOf } from '#shape/small-talk';

const GREETINGS = ['Hi', 'Hello', 'Hey there', 'Thanks', 'ok', 'Perfect', 'Super', 'Great', 'Hallo', 'Bonjour', 'No'];
const TOPICS = [
  'travel allowance',
  'vacation',
  'the default port',
  'Rechnung',
  'VPN',
  'salary 2024',
  'Saver',
  'plan B',
];

describe('smallTalkOf', () => {
  it.each([
    ['Hi there!', 'greeting'],
    ['Good morning, how are you today?', 'greeting'],
    ['Thanks a lot, that helps', 'thanks'],
    ['ok great', 'acknowledged'],
    ['Who are you?', 'aboutMe'],
    ['What can you do?', 'aboutMe'],
    ['You are funny', 'acknowledged'],
    ['bye 👋', 'farewell'],
    ['Vielen Dank für die Hilfe', 'thanks'],
    ['Alles klar, danke', 'thanks'],
    ['¡Hola! ¿Qué tal?', 'greeting'],
    ['你好', 'greeting'],
  ])('reads "%s" as %s', (message, kind) => {
    expect(smallTalkOf(message)).toBe(kind);
  });

  it.each([
    'great travel allowance',
    'Super saver 2021 conditions',
    'Hi, what is the refund policy?',
    'thanks giving leave',
    'great, and how do I export it?',
    'who are you going to call for a fire',
    'what can you do with an API key',
    '?',
    '',
  ])('does not accept "%s"', (message) => {
    expect(smallTalkOf(message)).toBeUndefined();
  });

  it('never accepts a message with a topic', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...GREETINGS),
        fc.constantFrom(...TOPICS),
        fc.constantFrom(' ', ', ', '! ', '… '),
        fc.boolean(),
        (greeting, topic, between, isFirst) => {
          expect(smallTalkOf(isFirst ? greeting + between + topic : topic + between + greeting)).toBeUndefined();
        },
      ),
    );
  });
});
