import type { Source } from '@lectern/contracts';

const MAX_SOURCES = 20;
const MAX_TITLE = 200;

/** A title or a name as plain text in Markdown. */
const plain = (text: string): string =>
  [...text.replaceAll(/\s+/g, ' ').trim()]
    .slice(0, MAX_TITLE)
    .join('')
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');

/** Returns the address of a web page, or undefined. */
export function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

function sourceLine({ title, url }: Source, at: number): string {
  const address = webAddress(url);
  const name = plain(title) || 'Document';
  return `${at + 1}. ${address === undefined ? name : `[${name}](<${address}>)`}`;
}

/** A result to deliver. */
export interface Result {
  readonly scheduleName: string;
  readonly agentName: string;
  readonly content: string;
  readonly sources: readonly Source[];
}

/** The result as Markdown: the reply, then its sources under the numbers of their markers. */
export function resultMarkdown({ content, sources }: Pick<Result, 'content' | 'sources'>): string {
  if (sources.length === 0) return content;
  return `${content}\n\n**Sources**\n\n${sources.slice(0, MAX_SOURCES).map(sourceLine).join('\n')}`;
}

/** The result for a Slack channel, which shows no subject. */
export const slackMarkdown = (result: Result): string =>
  `**${plain(result.scheduleName)}** (${plain(result.agentName)})\n\n${resultMarkdown(result)}`;
