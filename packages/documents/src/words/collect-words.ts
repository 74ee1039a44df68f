import type { WrittenText } from '#text/document-writer';
import { encodeWords } from '#words/encode-words';
import type { FoundWord } from '#words/find-words';
import {
  type Box,
  maxPagesWithWords,
  maxWordBytes,
  maxWordsPerDocument,
  type PageWords,
  type PlacedWord,
} from '#words/page-words';

/** The words that were found of a page, and the boxes that they refer to. */
export interface PageToKeep {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly found: readonly FoundWord[];
}

/** Returns the words of each page with their places; those over a limit are left out. */
export const collectWords = ({ text, pageOffsets = [] }: WrittenText, pages: readonly PageToKeep[]): PageWords[] => {
  const kept: PageWords[] = [];
  let [wordsLeft, bytesLeft] = [maxWordsPerDocument, maxWordBytes];
  for (const [index, { width, height, boxes, found }] of pages.slice(0, maxPagesWithWords).entries()) {
    const start = pageOffsets[index] ?? text.length;
    const placed = found
      .flatMap(({ word, ...place }): PlacedWord[] => {
        const box = boxes[word];
        // A word outside the visible part of the page has no area.
        return box === undefined || box[0] >= box[2] || box[1] >= box[3] ? [] : [{ ...place, box }];
      })
      .sort((a, b) => a.start - b.start)
      .slice(0, wordsLeft);
    const words = encodeWords(placed, start);
    bytesLeft -= words.length;
    if (placed.length === 0 || bytesLeft < 0) continue;
    wordsLeft -= placed.length;
    kept.push({ page: index + 1, width, height, start, end: pageOffsets[index + 1] ?? text.length, words });
  }
  return kept;
};
