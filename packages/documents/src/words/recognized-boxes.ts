import type { RecognizedPage } from '#ocr/recognized-page';
import { type Box, boxUnits } from '#words/page-words';

/** Returns the boxes of recognized words. */
export const recognizedBoxes = ({ words }: RecognizedPage): Box[] =>
  words.map(({ box: [left, top, right, bottom] }) => [
    Math.round(left * boxUnits),
    Math.round(top * boxUnits),
    Math.round(right * boxUnits),
    Math.round(bottom * boxUnits),
  ]);
