import type { Tool } from '#mcp/tool';
import { ask } from '#mcp/tools/ask';
import { fetchDocument } from '#mcp/tools/fetch';
import { getDocument } from '#mcp/tools/get-document';
import { listCollections } from '#mcp/tools/list-collections';
import { search } from '#mcp/tools/search';

/** The tools for assistants. */
export const TOOLS: readonly Tool[] = [search, fetchDocument, getDocument, listCollections, ask];
