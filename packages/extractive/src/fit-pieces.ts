import { estimateTokens, hasUnspacedScript, isSpace, offsetAfterTokens, openFence } from '@lectern/text';
import { markerAfter, type ReplyPiece } from '#compose/reply-writer';

/**
 * Returns the pieces of a reply that fit into `maxTokens`: the same array if all do. A quote that
 * does not fit is cut between lines or words; its code is closed, and its marker and citation
 * follow. As much of the first word as fits is kept, so that no reply is empty.
 */
export function fitPieces(pieces: readonly ReplyPiece[], maxTokens: number): readonly ReplyPiece[] {
  const fitting: ReplyPiece[] = [];
  let text = '';
  for (const [at, piece] of pieces.entries()) {
    if (piece.type === 'citation' || piece.whole) {
      fitting.push(piece);
      text += piece.type === 'text' ? piece.text : '';
      continue;
    }
    const marker = pieces[at + 1];
    const behind = marker?.type === 'text' && marker.whole ? marker.text : '';
    if (estimateTokens(text + piece.text + behind) <= maxTokens) {
      fitting.push(piece);
      text += piece.text;
      continue;
    }
    const remaining = maxTokens - estimateTokens(text);
    const citation = pieces[at + 2];
    const isQuote = behind !== '' && citation?.type === 'citation';
    const cut = isQuote ? cutQuote(piece.text, citation, remaining) : textPieces(wordsWithin(piece.text, remaining));
    fitting.push(...cut);
    return fitting.length > 0 ? fitting : textPieces(lettersWithin(piece.text, remaining));
  }
  return pieces;
}

type Citation = Extract<ReplyPiece, { type: 'citation' }>;

/** Returns the start of a quote with its marker and its citation, or nothing if no word fits. */
function cutQuote(text: string, { citation }: Citation, maxTokens: number): ReplyPiece[] {
  const limit = maxTokens - estimateTokens(markerAfter('|', citation.marker));
  let shown = wordsWithin(text, limit);
  const fence = openFence(shown);
  if (fence !== undefined) shown = closeFence(wordsWithin(text, limit - estimateTokens(`\n${fence}`)));
  if (shown === '') return [];
  return [
    { type: 'text', text: shown, whole: false },
    { type: 'text', text: markerAfter(shown, citation.marker), whole: true },
    { type: 'citation', citation: { ...citation, textEnd: citation.textStart + shown.length } },
  ];
}

function closeFence(text: string): string {
  const fence = openFence(text);
  return fence === undefined ? text : `${text}\n${fence}`;
}

const textPieces = (text: string): ReplyPiece[] => (text === '' ? [] : [{ type: 'text', text, whole: false }]);

/** Returns the lines of a text that fit, or the words if it is one line or no line fits. */
function wordsWithin(text: string, maxTokens: number): string {
  const end = offsetAfterTokens(text, 0, text.length, Math.max(0, maxTokens));
  if (end === text.length) return text;
  const lines = text.slice(0, Math.max(0, text.lastIndexOf('\n', end))).trimEnd();
  if (lines.trim() !== '') return lines;
  let at = end;
  while (at > 0 && !isSpace(text.charCodeAt(at))) at -= 1;
  const words = text.slice(0, at).trimEnd();
  const letters = text.slice(0, end).trimEnd();
  if (words !== '' || !hasUnspacedScript(letters)) return words;
  return letters.isWellFormed() ? letters : letters.slice(0, -1);
}

function lettersWithin(text: string, maxTokens: number): string {
  const start = Math.max(0, text.search(/\S/));
  const letters = text.slice(start, Math.max(start + 1, offsetAfterTokens(text, start, text.length, maxTokens)));
  return letters.isWellFormed() ? letters : text.slice(start, start + letters.length + 1);
}
