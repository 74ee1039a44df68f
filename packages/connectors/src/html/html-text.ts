import { Parser } from 'htmlparser2';

const BREAKS: ReadonlySet<string> = new Set([
  'p',
  'div',
  'br',
  'tr',
  'table',
  'ul',
  'ol',
  'h1',
  'h2',
  'h3',
  'h4',
  'pre',
]);
const SILENT: ReadonlySet<string> = new Set(['script', 'style']);

/** Returns the text of a rich-text field, with its paragraphs and lists. */
export function htmlText(html: string): string {
  let text = '';
  let silent = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (SILENT.has(name)) silent += 1;
      if (name === 'li') text += '\n- ';
      else if (BREAKS.has(name)) text += '\n';
      else if (name === 'td' || name === 'th') text += ' ';
    },
    ontext: (data) => {
      if (silent === 0) text += data.replace(/\s+/g, ' ');
    },
    onclosetag: (name) => {
      if (SILENT.has(name)) silent -= 1;
      if (BREAKS.has(name)) text += '\n';
    },
  });
  parser.end(html);
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
