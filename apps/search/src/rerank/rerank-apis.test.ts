import { describe, expect, it } from '@jest/globals';
import { guessStyle } from '#rerank/rerank-apis';

describe('guessStyle', () => {
  it.each([
    ['https://api.cohere.com/v2/rerank', 'cohere'],
    ['https://api.jina.ai/v1/rerank', 'jina'],
    ['https://api.voyageai.com/v1/rerank', 'voyage'],
    ['http://127.0.0.1:8081/rerank', 'tei'],
    ['https://notvoyageai.com/v1/rerank', 'jina'],
  ])('guesses from %s that the API is %s', (url, style) => {
    expect(guessStyle(url)).toBe(style);
  });
});
