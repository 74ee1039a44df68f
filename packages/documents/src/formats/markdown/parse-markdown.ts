import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { takeFrontMatter } from '#formats/markdown/front-matter';
import { inlineText } from '#formats/markdown/inline-text';
import { BlockWriter } from '#formats/markdown/write-blocks';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter, type WrittenText } from '#text/document-writer';

/** A syntax tree takes about a hundred times the text's size; longer documents stay as they were written, which is near the normal form. */
const longestForTree = 1_500_000;

const definitionsOf = (nodes: readonly RootContent[]) =>
  new Map(nodes.filter((node) => node.type === 'definition').map((node) => [node.identifier, node]));

const normalise = (tree: Root, maxChars: number): WrittenText => {
  const writer = new DocumentWriter(maxChars);
  new BlockWriter(writer, definitionsOf(tree.children)).write(tree.children);
  return writer.finish();
};

const asWritten = (markdown: string, maxChars: number): WrittenText => {
  const writer = new DocumentWriter(maxChars);
  writer.normalised(markdown);
  return writer.finish();
};

const headingOf = (tree: Root): string | undefined => {
  const top = tree.children.find((node) => node.type === 'heading' && node.depth === 1);
  return top?.type === 'heading' ? inlineText(top.children, definitionsOf(tree.children)) : undefined;
};

const readTree = (markdown: string): Root | undefined => {
  if (markdown.length > longestForTree) return undefined;
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
};

/** Markdown with GitHub's extensions, in the normal form: underlined headings, reference links and inline HTML resolved. */
export const parseMarkdown: FormatParser = async ({ bytes, limits }) => {
  const { text: source, charset } = decodeText(bytes);
  const { body, title, metadata } = takeFrontMatter(source.replaceAll('\r\n', '\n'));
  const tree = readTree(body);
  const written = tree ? normalise(tree, limits.maxTextChars) : asWritten(body, limits.maxTextChars);
  const heading = tree ? headingOf(tree) : /^#[ \t]+(.+)$/m.exec(body.slice(0, 64 * 1024))?.[1];
  return { ...written, title: title ?? heading, metadata: { ...metadata, charset } };
};
