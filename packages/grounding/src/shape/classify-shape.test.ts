import { describe, expect, it } from '@jest/globals';
import { classifyShape } from '#shape/classify-shape';

describe('classifyShape', () => {
  it.each([
    ['How many days of leave do we get?', 'lookup'],
    ['Who signs the contract?', 'lookup'],
    ['How do I order a new laptop?', 'how_to'],
    ['Wie beantrage ich Urlaub?', 'how_to'],
    ['What is the difference between sick leave and vacation?', 'comparison'],
    ['Compare the silver plan with the gold plan', 'comparison'],
    ['List all the public holidays', 'list'],
    ['What are the requirements for a permit?', 'list'],
    ['Summarize the travel policy', 'summary'],
    ['Why did the release slip?', 'analysis'],
    ['What are the pros and cons of working remotely?', 'analysis'],
    ['Hello!', 'conversational'],
    ['Danke!', 'conversational'],
  ])('classifies "%s" as %s', (question, shape) => {
    expect(classifyShape(question).shape).toBe(shape);
  });

  it('returns probabilities whose sum is 1, with the highest for the shape', () => {
    const { shape, probabilities } = classifyShape('Where is the office?');
    const values = Object.values(probabilities);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
    expect(probabilities[shape]).toBe(Math.max(...values));
  });

  it('never takes a question that contains words of small talk for small talk', () => {
    expect(classifyShape('great travel allowance').probabilities.conversational).toBe(0);
    expect(classifyShape('Thanks, and where is the office?').probabilities.conversational).toBe(0);
  });
});
