import type { RecognizedPage } from '#ocr/recognized-page';
import type { Recognition } from '#parsed-document';

/** Returns what text recognition contributed to a document. */
export const recognitionOf = (pages: readonly RecognizedPage[], unreadPages: readonly number[]): Recognition => {
  const words = pages.reduce((sum, page) => sum + page.words.length, 0);
  const confidence = pages.reduce((sum, page) => sum + page.confidence * page.words.length, 0);
  return {
    confidence: words === 0 ? 0 : Math.round(confidence / words),
    pages: [...pages]
      .sort((a, b) => a.page - b.page)
      .map(({ page, confidence, words }) => ({ page, confidence, words })),
    unreadPages: [...unreadPages],
  };
};
