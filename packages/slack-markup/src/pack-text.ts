const FENCE = '```';
/** A link, an entity or one character: what must stay whole. */
const PARTS = /<[^<>]*>|&(?:amp|lt|gt);|[\s\S]/gu;

/** The best end of a piece: a line, otherwise a word, in its second half. */
function endOf(text: string): number {
  const half = text.length / 2;
  const line = text.lastIndexOf('\n');
  if (line > half) return line;
  // A space in a link is no place to split.
  const space = text.replaceAll(/<[^<>]*>/g, (link) => '_'.repeat(link.length)).lastIndexOf(' ');
  return space > half ? space : text.length;
}

function splitText(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [part] of text.matchAll(PARTS)) {
    if (piece.length + part.length > limit) {
      const end = endOf(piece);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end).replace(/^\s/, '');
    }
    piece += part;
  }
  return [...pieces, piece].filter((each) => each.trim() !== '');
}

function splitBlock(block: string, limit: number): string[] {
  if (block.length <= limit) return [block];
  if (!block.startsWith(FENCE) || !block.endsWith(FENCE)) return splitText(block, limit);
  const frame = 2 * (FENCE.length + 1);
  const code = block.slice(FENCE.length, -FENCE.length).replaceAll(/^\n|\n$/g, '');
  return splitText(code, limit - frame).map((piece) => `${FENCE}\n${piece}\n${FENCE}`);
}

/**
 * Joins blocks of Slack's markup into as few texts of at most `limit` characters as possible. A longer
 * block is split between lines or words, never within a link or an escaped character.
 */
export function packText(blocks: readonly string[], limit: number): string[] {
  const packed: string[] = [];
  for (const piece of blocks.flatMap((block) => splitBlock(block, limit))) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + 2 + piece.length <= limit)
      packed[packed.length - 1] = `${last}\n\n${piece}`;
    else packed.push(piece);
  }
  return packed;
}
