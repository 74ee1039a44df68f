/** Resolves the ids in mentions. */
export interface MentionNames {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const decode = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);

/** Converts the content of `<…>`: a mention, a channel, a date or a link. */
function reference(inner: string, names: MentionNames): string {
  const at = inner.indexOf('|');
  const target = at < 0 ? inner : inner.slice(0, at);
  const label = at < 0 ? undefined : inner.slice(at + 1) || undefined;
  const id = target.slice(1);
  if (target.startsWith('@')) return `@${names.user(id) ?? label ?? id}`;
  if (target.startsWith('#')) return `#${names.channel(id) ?? label ?? id}`;
  if (target.startsWith('!date^')) return label ?? '';
  if (target.startsWith('!subteam^')) return label ?? '@group';
  if (target.startsWith('!')) return `@${label ?? id}`;
  const address = decode(target);
  if (label === undefined || decode(label) === address.replace(/^mailto:/, '')) return address.replace(/^mailto:/, '');
  return `[${decode(label)}](${address})`;
}

/**
 * Converts emphasis in text without code: `*bold*`, `~struck~`; `_italic_` is the same in Markdown.
 */
function emphasis(text: string): string {
  return text
    .replace(/(^|[\s([{"'>_~])\*(?=\S)([^*\n]*\S)\*(?=$|[\s)\]}"'.,:;!?_~-])/gm, '$1**$2**')
    .replace(/(^|[\s([{"'>_*])~(?=\S)([^~\n]*\S)~(?=$|[\s)\]}"'.,:;!?_*-])/gm, '$1~~$2~~');
}

const references = (text: string, names: MentionNames): string =>
  text.replace(/<([^<>\n]+)>/g, (_all, inner: string) => reference(inner, names));

/** Decodes entities and Slack's links in code. */
const code = (text: string, names: MentionNames): string => decode(references(text, names));

/**
 * Converts Slack's markup to Markdown, with names in mentions.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnToMarkdown(text: string, names: MentionNames): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, at) => {
      if (at % 2 === 0) return quotes(decode(references(emphasis(part), names)));
      if (!part.startsWith('```')) return code(part, names);
      return `\n\`\`\`\n${code(part.slice(3, -3), names).replace(/^\n|\n$/g, '')}\n\`\`\`\n`;
    })
    .join('')
    .trim();
}

/** Converts bullet characters to list items. Decoded quotes (`&gt;`) are already Markdown. */
const quotes = (text: string): string => text.replace(/^([ \t]*)[•◦▪] ?/gm, '$1- ');
