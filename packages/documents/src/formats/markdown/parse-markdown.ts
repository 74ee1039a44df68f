import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { splitFrontMatter } from '#formats/markdown/front-matter';
import { inlineText } from '#formats/markdown/inline-text';
import { BlockWriter } from '#formats/markdown/write-blocks';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter, type WrittenText } from '#text/document-writer';

/**
 * A syntax tree takes about 300 times the memory of the text. Longer documents are returned
 * unchanged.
 */
const maxTreeChars = 400_000;

const definitionsOf = (nodes: readonly RootContent[]) =>
  new Map(nodes.filter((node) => node.type === 'definition').map((node) => [node.identifier, node]));

interface MarkdownText extends WrittenText {
  readonly heading: string | undefined;
}

const headingOf = ({ children }: Root): string | undefined => {
  const top = children.find((node) => node.type === 'heading' && node.depth === 1);
  return top?.type === 'heading' ? inlineText(top.children, definitionsOf(children)) : undefined;
};

const normalize = (markdown: string, maxChars: number): MarkdownText => {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const writer = new DocumentWriter(maxChars);
  new BlockWriter(writer, definitionsOf(tree.children)).write(tree.children);
  return { ...writer.finish(), heading: headingOf(tree) };
};

const unchanged = (markdown: string, maxChars: number): MarkdownText => {
  const writer = new DocumentWriter(maxChars);
  writer.normalized(markdown);
  return { ...writer.finish(), heading: /^#[ \t]+(.+)$/m.exec(markdown.slice(0, 64 * 1024))?.[1] };
};

/** Falls back to the unchanged text if the structure is nested too deeply to walk. */
const readMarkdown = (markdown: string, maxChars: number): MarkdownText => {
  if (markdown.length > maxTreeChars) return unchanged(markdown, maxChars);
  try {
    return normalize(markdown, maxChars);
  } catch (error) {
    if (error instanceof ParseError) throw error;
    return unchanged(markdown, maxChars);
  }
};

/**
 * Parses GitHub Flavored Markdown; resolves underlined headings, reference links and inline HTML.
 */
export const parseMarkdown: FormatParser = async ({ bytes, limits }) => {
  const { text: source, charset } = decodeDocument({ bytes, limits });
  const { body, title, metadata } = splitFrontMatter(source.replaceAll('\r\n', '\n'));
  const { heading, ...written } = readMarkdown(body, limits.maxTextChars);
  return { ...written, title: title ?? heading, metadata: { ...metadata, charset } };
};
