import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { parseJson } from '#formats/json/parse-json';
import { ParseError } from '#parse-error';
import type { FormatParser, ParseSource } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

// Jupyter notebooks, nbformat 3 and 4: https://nbformat.readthedocs.io/en/latest/format_description.html

/** A text, or its lines, which end with line breaks. */
const multiline = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')));

const output = z.looseObject({
  text: multiline.optional().catch(undefined),
  data: z.looseObject({ 'text/plain': multiline.optional() }).optional().catch(undefined),
});

const cell = z.looseObject({
  cell_type: z.string(),
  source: multiline.optional(),
  /** The source of a code cell in nbformat 3. */
  input: multiline.optional(),
  level: z.number().optional().catch(undefined),
  outputs: z.array(output).optional().catch(undefined),
});

const cells = z.array(cell.nullable().catch(null));

const notebook = z.looseObject({
  cells: cells.optional(),
  worksheets: z.array(z.looseObject({ cells: cells.optional() })).optional(),
  metadata: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      language_info: z.looseObject({ name: z.string() }).optional().catch(undefined),
      kernelspec: z.looseObject({ language: z.string().optional() }).optional().catch(undefined),
      authors: z
        .array(z.looseObject({ name: z.string() }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Longer outputs are data, not text that people search for. */
const MAX_OUTPUT_CHARS = 20_000;

const readNotebook = (text: string) => {
  try {
    return notebook.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** The text of an output, without the codes that color it in a terminal. */
const outputText = ({ text, data }: z.output<typeof output>): string =>
  stripVTControlCharacters(text ?? data?.['text/plain'] ?? '')
    .slice(0, MAX_OUTPUT_CHARS)
    .toWellFormed();

/** Writes a Markdown cell in the normal form. */
async function writeMarkdown(markdown: string, writer: DocumentWriter, { parseNested }: ParseSource): Promise<void> {
  if (markdown.trim() === '') return;
  const file = { bytes: Buffer.from(markdown), fileName: 'cell.md', mimeType: 'text/markdown' };
  try {
    writer.normalized((await parseNested(file)).text);
  } catch (error) {
    // A cell with only a picture has no text.
    if (!(error instanceof ParseError) || error.code !== 'no_text') throw error;
  }
}

/** Parses a Jupyter notebook: Markdown cells, and code with its text outputs as code blocks. */
export const parseNotebook: FormatParser = async (source) => {
  const { text, charset } = decodeText(source.bytes);
  const read = readNotebook(text);
  const found = read?.cells ?? read?.worksheets?.flatMap((sheet) => sheet.cells ?? []);
  if (found === undefined) return parseJson(source);
  const language = read?.metadata?.language_info?.name ?? read?.metadata?.kernelspec?.language;
  const writer = new DocumentWriter(source.limits.maxTextChars);
  for (const one of found) {
    const content = one?.source ?? one?.input ?? '';
    if (one?.cell_type === 'heading') writer.heading(one.level ?? 1, content);
    else if (one?.cell_type === 'code') writer.code(content, language);
    else if (one?.cell_type === 'markdown') await writeMarkdown(content, writer, source);
    else writer.paragraph(content);
    for (const output of one?.outputs ?? []) writer.code(outputText(output));
  }
  const author = read?.metadata?.authors?.map(({ name }) => name).join(', ');
  return { ...writer.finish(), title: read?.metadata?.title, metadata: { charset, author } };
};
