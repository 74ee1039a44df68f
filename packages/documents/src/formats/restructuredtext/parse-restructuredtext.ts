import { keyOf } from '#formats/restructuredtext/rst-inline';
import { RstWriter } from '#formats/restructuredtext/write-rst';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter } from '#text/document-writer';

/** Returns the addresses of named links: `.. _name: address`. */
const targetsIn = (lines: readonly string[]): Map<string, string> => {
  const targets = new Map<string, string>();
  for (const line of lines) {
    const [, name, address] = /^\s*\.\.\s+_(`[^`]+`|[^:`]+):\s+(\S+)\s*$/.exec(line) ?? [];
    if (name !== undefined && address !== undefined) targets.set(keyOf(name), address);
  }
  return targets;
};

/**
 * Parses reStructuredText: sections, lists, tables, code and links. Directives that read other files
 * are dropped.
 */
export const parseRestructuredtext: FormatParser = async ({ bytes, limits }) => {
  const { text: source, charset } = decodeDocument({ bytes, limits });
  const lines = source.replaceAll('\t', '        ').split(/\r\n?|\n/);
  const writer = new DocumentWriter(limits.maxTextChars);
  const rst = new RstWriter(writer, targetsIn(lines));
  rst.write(lines);
  return { ...writer.finish(), title: rst.firstHeading, metadata: { charset } };
};
