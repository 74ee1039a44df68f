const WIDTH = 100;

/** Wraps a paragraph. Words are never broken. */
function wrap(text: string, indent: string, hanging = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const start = lines.length === 0 ? indent : indent + hanging;
    if (line !== '' && start.length + line.length + 1 + word.length > WIDTH) {
      lines.push(start + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, (lines.length === 0 ? indent : indent + hanging) + line];
}

const escapeText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');

/** Renders a docstring: paragraphs, and a list of the arguments. */
export function docstring(
  paragraphs: readonly string[],
  indent: string,
  args: readonly { readonly name: string; readonly description: string }[] = [],
): readonly string[] {
  const blocks = paragraphs
    .flatMap((text) => text.split(/\n{2,}/))
    .filter((text) => text.trim() !== '')
    .map((text) => wrap(escapeText(text), indent));
  const described = args.filter(({ description }) => description !== '');
  if (described.length > 0) {
    const lines = described.flatMap(({ name, description }) =>
      wrap(`${name}: ${escapeText(description)}`, `${indent}    `, '    '),
    );
    blocks.push([`${indent}Args:`, ...lines]);
  }
  const lines = blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
  const [first = '', ...rest] = lines;
  const opening = `${indent}"""${first.slice(indent.length)}`;
  // A quotation mark before the closing ones would end the string too early.
  const closesAlone = rest.length > 0 || opening.endsWith('"') || opening.length + 3 > WIDTH;
  return closesAlone ? [opening, ...rest, `${indent}"""`] : [`${opening}"""`];
}
