/**
 * Tags in Notion's enhanced Markdown (`<callout>`, `<columns>`, `<page url="…">`, `<unknown …/>`).
 * They are removed, but their text and link addresses are kept. HTML tables and code do not change.
 * https://developers.notion.com/guides/data-apis/enhanced-markdown
 */
const TAGS =
  /<\/?(?:callout|columns?|synced_block(?:_reference)?|details|summary|span|empty-block|table_of_contents|unknown|meeting-notes|notes|transcript|mention-(?:user|date|agent))(?:\s[^<>]*)?\/?>/g;
const LINKS = /<(page|database|data-source|mention-page|mention-database)\s[^<>]*?url="([^"]*)"[^<>]*>([^<]*)<\/\1>/g;
const BARE_LINKS = /<(?:page|database|data-source|mention-page|mention-database)\s[^<>]*?\/>/g;

const cleanLine = (line: string): string =>
  line
    .replace(LINKS, (_, _tag: string, url: string, text: string) => (text === '' ? '' : `[${text}](${url})`))
    .replace(BARE_LINKS, '')
    .replace(TAGS, '')
    .trimEnd();

/** Converts enhanced Markdown to plain Markdown. */
export function cleanMarkdown(markdown: string): string {
  let fence: string | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^\s*(`{3,})/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.length >= fence.length)) {
        fence = fence === undefined ? mark : undefined;
        return line;
      }
      return fence === undefined ? cleanLine(line) : line;
    })
    .join('\n');
}
