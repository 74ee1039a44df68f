import type { ListItem, Nodes, Parents, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Slack truncates nothing, but a longer address is never one that a person should open. */
const MAX_URL = 1_500;
const MAX_LABEL = 300;
const INDENT = '    ';
/** Nothing is visible of it. It separates characters that would have a meaning together. */
const ZERO_WIDTH = '\u200B';

/**
 * Escapes the three control characters of Slack's markup. Without them, text cannot contain a mention,
 * a link or a date. https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Percent-encodes what would end the address in `<address|label>`. */
function addressOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // An address with a user can look like that of another host.
  if (url.username !== '' || url.password !== '') return undefined;
  const safe = url.href.replace(/[\s<>|]/g, encodeURIComponent).replaceAll('&', '&amp;');
  return safe.length > MAX_URL ? undefined : safe;
}

const LOOKS_LIKE_ADDRESS = /^\s*(?:https?:|www\.)|^[^\s/]+\.[a-z]{2,}(?:[/:?#]|\s*$)/i;

/** True if the label looks like an address of another host than the link has. */
function misleads(label: string, address: string): boolean {
  if (!LOOKS_LIKE_ADDRESS.test(label)) return false;
  const shown = URL.parse(/^\s*https?:/i.test(label) ? label.trim() : `https://${label.trim()}`);
  return shown === null || shown.host !== URL.parse(address)?.host;
}

/** Returns a link in Slack's markup, or only its label if the address is not one of the web. */
export function linkTo(address: string, label: string): string {
  const url = addressOf(address);
  const text = label.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LABEL);
  if (url === undefined) return escapeMrkdwn(text === '' ? address.slice(0, MAX_LABEL) : text);
  return text === '' || misleads(text, address) ? `<${url}>` : `<${url}|${escapeMrkdwn(text)}>`;
}

const isBlank = (text: string) => text.trim() === '';

/** Puts a mark around text. Slack ignores marks next to white space. */
function marked(mark: string, text: string): string {
  if (isBlank(text)) return text;
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return `${before}${mark}${inner}${mark}${after}`;
}

/** The text of a node and everything in it, not escaped. */
function plainText(node: Nodes): string {
  if ('value' in node) return node.value;
  if (node.type === 'image') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

const phrases = (nodes: readonly Nodes[]): string => nodes.map(phrase).join('');

function phrase(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return escapeMrkdwn(node.value);
    case 'strong':
      return marked('*', phrases(node.children));
    case 'emphasis':
      return marked('_', phrases(node.children));
    case 'delete':
      return marked('~', phrases(node.children));
    case 'inlineCode':
      return marked('`', escapeMrkdwn(node.value.replaceAll(/[`\s]+/g, (all) => (all.includes('`') ? "'" : ' '))));
    case 'break':
      return '\n';
    case 'link':
      return linkTo(node.url, plainText(node));
    // An image would be loaded from an address in a document as soon as somebody reads the message.
    case 'image':
      return escapeMrkdwn(node.alt ?? '');
    case 'footnoteReference':
      return escapeMrkdwn(`[${node.label ?? node.identifier}]`);
    default:
      return 'children' in node ? phrases(node.children) : escapeMrkdwn(plainText(node));
  }
}

/** A fence in the code would end the block. */
const codeBlock = (text: string): string =>
  `\`\`\`\n${escapeMrkdwn(text.replaceAll('```', `\`${ZERO_WIDTH}\`${ZERO_WIDTH}\``))}\n\`\`\``;

const MAX_CELL = 40;

/** Slack has no tables in text: columns of the same width in a code block. */
function table({ children }: Table): string {
  const rows = children.map(({ children: cells }) =>
    cells.map((cell) => plainText(cell).replaceAll(/\s+/g, ' ').slice(0, MAX_CELL)),
  );
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    widths
      .map((width, at) => (row[at] ?? '').padEnd(width))
      .join(' | ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  return codeBlock([lines[0] ?? '', rule, ...lines.slice(1)].join('\n'));
}

function listItem({ checked, children }: ListItem, bullet: string): string {
  const mark = checked === true ? `${bullet} ☑` : checked === false ? `${bullet} ☐` : bullet;
  const [first = '', ...rest] = children.map(block).filter((text) => text !== '');
  const below = rest.map((text) => text.replaceAll(/^/gm, INDENT));
  return [`${mark} ${first}`, ...below].join('\n');
}

function block(node: RootContent | PhrasingContent): string {
  switch (node.type) {
    case 'heading':
      return marked('*', phrases(node.children).replaceAll('*', '').replaceAll('\n', ' '));
    case 'code':
      return codeBlock(node.value);
    case 'table':
      return table(node);
    case 'list': {
      const start = node.start ?? 1;
      return node.children.map((item, at) => listItem(item, node.ordered ? `${start + at}.` : '•')).join('\n');
    }
    // Escaped like every other `>`. At the beginning of a line, Slack shows it as a quote.
    case 'blockquote':
      return blocks(node).join('\n\n').replaceAll(/^/gm, '&gt; ');
    case 'thematicBreak':
      return '———';
    case 'definition':
      return '';
    case 'footnoteDefinition':
      return `${escapeMrkdwn(`[${node.label ?? node.identifier}]`)} ${blocks(node).join('\n')}`;
    default:
      return phrase(node);
  }
}

const blocks = (node: Parents): string[] => node.children.map(block).filter((text) => !isBlank(text));

/**
 * Converts Markdown to the blocks of Slack's markup. Whatever the text is, the result mentions no one
 * and links only to addresses of the web.
 */
export function markdownToMrkdwn(markdown: string): string[] {
  return blocks(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
}
