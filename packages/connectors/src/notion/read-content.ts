import type { ConnectorCall } from '#connector';
import { cleanMarkdown } from '#notion/clean-markdown';
import type { NotionApi } from '#notion/notion-api';
import { isTrashed } from '#notion/notion-object';
import { propertyLines } from '#notion/property-text';
import { readBlocks } from '#notion/read-blocks';
import { NotionRejection } from '#notion/read-error';
import { titleOf, versionOf } from '#notion/to-ref';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** Returns true if Notion does not support the endpoint. */
const isNotOffered = (error: SourceError) =>
  error.kind === 'gone' || (error instanceof NotionRejection && error.code === 'invalid_request_url');

/**
 * Reads pages as Markdown: in one request if Notion renders it, else, or if that is truncated,
 * block by block.
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
        // The page existed a moment ago; reading its blocks shows whether it still does.
        if (isNotOffered(error)) markdownOffered = false;
        else if (!(error instanceof NotionRejection)) throw error;
      }
    }
    return readBlocks(api, call, id, maxItemBytes);
  };

  /**
   * Reads the current page. The version is read first, so that the next sync detects an edit in
   * between.
   */
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
