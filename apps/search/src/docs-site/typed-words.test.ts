import { describe, expect, it } from '@jest/globals';
import { typedWords } from '#docs-site/typed-words';

describe('typedWords', () => {
  it('returns the first 31 distinct words and the last one', () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`);
    const typed = typedWords(`${words.join(' ')} ${words.join(' ')} lastly`).map(({ word }) => word);
    expect(typed).toEqual([...words.slice(0, 31), 'lastly']);
  });
});
