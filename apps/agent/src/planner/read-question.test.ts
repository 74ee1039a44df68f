import { describe, expect, it } from '@jest/globals';
import { AGENT_TOOLS } from '@lectern/contracts';
import { planCalls } from '#planner/plan-calls';
import { readQuestion } from '#planner/read-question';

const ALL = new Set<string>(AGENT_TOOLS);
const NO_DATABASE = new Set(['search_documents', 'calculate', 'get_datetime', 'summarize_document']);
const planned = (question: string, tools: ReadonlySet<string> = NO_DATABASE) =>
  planCalls(readQuestion(question, tools), tools, []).map(({ tool, params }) => [tool, ...Object.values(params)]);

describe('arithmetic', () => {
  it.each([
    ['What is 17 * 23?', '17 * 23'],
    ['what is 1234 + 5678', '1234 + 5678'],
    ['How much is 17% of 2,340 euros?', '17% * 2340'],
    ['What is the sum of 12, 30 and 58?', 'sum(12, 30, 58)'],
    ['Calculate (3 + 4) * 5 please', '(3 + 4) * 5'],
    ['What is 12 times 12?', '12 * 12'],
    ['What is the square root of 144?', 'sqrt(144)'],
    ['Divide 100 by 8', '100 / 8'],
    ['Subtract 5 from 12.', '12 - 5'],
    ['2+2', '2+2'],
    ['Was ist 12 mal 7?', '12 * 7'],
    ['What is 2 to the power of 10?', '2 ^ 10'],
    ['What is the average of 4, 8 and 15?', 'mean(4, 8, 15)'],
  ])('is found in: %s', (question, expression) => {
    expect(planned(question)).toEqual([['calculate', expression]]);
  });
});

describe('a time', () => {
  it.each([
    ['What time is it in Tokyo?', ['Tokyo']],
    ['What time is it in New York right now?', ['New York']],
    ["what's the current time in London and Paris?", ['London', 'Paris']],
    ['Wie spät ist es in Berlin?', ['Berlin']],
  ])('is found with its places in: %s', (question, places) => {
    expect(planned(question)).toEqual(places.map((place) => ['get_datetime', place]));
  });

  it.each(['What time is it?', "What is today's date?", 'What day is it today?'])(
    'is found without a place in: %s',
    (question) => {
      expect(planned(question)).toEqual([['get_datetime']]);
    },
  );
});

describe('documents', () => {
  it.each([
    'What time does the office open?',
    'How many days of leave do I get?',
    'What is the deadline for expense reports?',
    'What does the 401(k) plan cover?',
    'What is the time limit for reporting a lost laptop?',
    'Who approves purchases over 5,000 euros?',
    'What changed on 2026-11-21?',
    'Is support open 24/7?',
  ])('are searched for: %s', (question) => {
    expect(planned(question)).toEqual([['search_documents', question]]);
  });

  it('are not searched for a greeting', () => {
    expect(planned('Hello!')).toEqual([]);
  });
});

describe('a question with several parts', () => {
  it('results in a call for each part', () => {
    const question = 'What time is it in Tokyo? And what is 12 * 12? How long is parental leave?';
    expect(planned(question)).toEqual([
      ['calculate', '12 * 12'],
      ['get_datetime', 'Tokyo'],
      ['search_documents', 'How long is parental leave?'],
    ]);
  });
});

describe('a database', () => {
  it('is queried if the question mentions it', () => {
    expect(planned('How many rows are in the orders table?', ALL)).toEqual([
      ['search_database_schema', 'How many rows are in the orders table?'],
    ]);
  });

  it('is queried together with the documents if both could answer', () => {
    const question = 'How many customers do we have?';
    expect(planned(question, ALL)).toEqual([
      ['search_database_schema', question],
      ['search_documents', question],
    ]);
  });
});

describe('a long question', () => {
  it.each(['('.repeat(32_000), 'pbxave cracdr '.repeat(2_285)])(
    'is read from its start and end only: %.20s',
    (text) => {
      const { rest } = readQuestion(`Leave? ${text} Laptops?`, ALL);
      expect(rest.length).toBeLessThanOrEqual(2_000);
      expect(rest).toMatch(/^Leave\?.*Laptops\?$/s);
    },
  );
});
