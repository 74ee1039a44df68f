import type { ConnectorCall } from '../connector.ts';
import type { SourceContent, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { cleanMarkdown } from './clean-markdown.ts';
import type { NotionApi } from './notion-api.ts';
import { isTrashed } from './notion-object.ts';
import { propertyLines } from './property-text.ts';
import { readBlocks } from './read-blocks.ts';
import { NotionRefusal } from './read-error.ts';
import { titleOf, versionOf } from './to-ref.ts';

/** True where Notion has no such interface, rather than no such text. */
const isNotOffered = (error: SourceError) =>
  error.kind === 'gone' || (error instanceof NotionRefusal && error.code === 'invalid_request_url');

/**
 * Reads pages as Markdown: in one request where Notion makes the Markdown itself, block by block where that is cut short or not offered.
 */
export function createContentReader(api: NotionApi, maxItemBytes: number) {
  let markdownOffered = true;

  const bodyOf = async (call: ConnectorCall, id: string): Promise<string> => {
    if (markdownOffered) {
      try {
        const { markdown, truncated } = await api.markdown(call, id);
        if (!truncated) return cleanMarkdown(markdown);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        // The page itself was there a moment ago; its blocks tell if it is still.
        if (isNotOffered(error)) markdownOffered = false;
        else if (!(error instanceof NotionRefusal)) throw error;
      }
    }
    return readBlocks(api, call, id, maxItemBytes);
  };

  /** A page as it is now. Its version is read first, so that an edit in between is seen as one the next time. */
  return async (call: ConnectorCall, ref: SourceRef): Promise<SourceContent> => {
    const page = await api.page(call, ref.id);
    if (isTrashed(page)) throw new SourceError('gone', `The page ${ref.path} is in the trash.`);
    const title = titleOf(page);
    const properties = page.parent?.data_source_id || page.parent?.database_id ? propertyLines(page) : [];
    const parts = [`# ${title}`, properties.join('\n'), await bodyOf(call, page.id)];
    const text = `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
    const bytes = new TextEncoder().encode(text);
    return {
      body: (async function* () {
        yield bytes;
      })(),
      version: versionOf(page, Date.now()),
      fileName: `${title.replaceAll('/', '-').slice(0, 120)}.md`,
      metadata: page.created_time === undefined ? {} : { createdAt: page.created_time },
    };
  };
}
