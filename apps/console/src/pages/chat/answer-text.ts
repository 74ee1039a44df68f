import type { Source } from '#api/types.ts';
import { t } from '#texts/texts.ts';

interface Answer {
  readonly content: string;
  readonly sources: readonly Source[];
}

/** The text of an answer with its numbered sources, to paste elsewhere. */
export function answerText({ content, sources }: Answer): string {
  if (sources.length === 0) return content;
  const lines = sources.map(({ title, url }, index) => `[${index + 1}] ${title}${url ? ` – ${url}` : ''}`);
  return `${content}\n\n${t('chat.copiedSources')}\n${lines.join('\n')}`;
}

/** The text of an answer without its marks, to read aloud. */
export const announcedText = (content: string): string =>
  content
    .replace(/\s*\[\d{1,3}\]/g, '')
    .replace(/[*`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
