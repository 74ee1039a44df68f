import type { GmailMessage, GmailPart } from '#emulators/gmail/gmail-model';

/*
 * Searches. Of the operators, those that tests use are supported; others are an error.
 * https://support.google.com/mail/answer/7190
 */

type Test = (message: GmailMessage) => boolean;

const textOf = ({ content = '', parts = [] }: GmailPart): string =>
  [typeof content === 'string' ? content : '', ...parts.map(textOf)].join(' ');

const seconds = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : Date.parse(text.replaceAll('/', '-')) / 1_000;

function operator(name: string, value: string): Test {
  const has = (text: string | undefined) => text?.toLowerCase().includes(value.toLowerCase()) === true;
  switch (name) {
    case 'from':
    case 'to':
    case 'subject':
      return ({ headers }) => has(headers[name.charAt(0).toUpperCase() + name.slice(1)]);
    case 'category':
      return ({ labelIds }) => labelIds.includes(`CATEGORY_${value.toUpperCase()}`);
    case 'is':
      return ({ labelIds }) => labelIds.includes(value.toUpperCase());
    case 'after':
      return ({ date }) => date / 1_000 > seconds(value);
    case 'before':
      return ({ date }) => date / 1_000 < seconds(value);
    case 'rfc822msgid':
      return ({ headers }) => headers['Message-ID']?.replace(/[<>]/g, '') === value.replace(/[<>]/g, '');
    default:
      throw new Error(`The emulator does not support the operator ${name}.`);
  }
}

/** Parses a search: terms in a row must all match; `{}` and `OR` need one; `-` excludes. */
export function parseSearch(query: string): Test {
  const tokens = query.match(/[(){}]|-(?=\S)|"[^"]*"|[^\s(){}"]+/g) ?? [];
  let at = 0;
  const term = (): Test => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '-') {
      const inner = term();
      return (message) => !inner(message);
    }
    if (token === '(') return group(')', (tests) => (message) => tests.every((test) => test(message)));
    if (token === '{') return group('}', (tests) => (message) => tests.some((test) => test(message)));
    const [, name, value] = /^([a-z\d]+):(.+)$/.exec(token) ?? [];
    if (name !== undefined && value !== undefined) return operator(name, value);
    const text = token.replaceAll('"', '').toLowerCase();
    return ({ headers, body }) => `${headers.Subject} ${textOf(body)}`.toLowerCase().includes(text);
  };
  const group = (end: string, join: (tests: readonly Test[]) => Test): Test => {
    const tests: Test[] = [];
    while (at < tokens.length && tokens[at] !== end) {
      if (tokens[at] === 'OR' && tests.length > 0) {
        at += 1;
        const [left, right] = [tests.pop(), term()];
        tests.push((message) => left?.(message) === true || right(message));
      } else tests.push(term());
    }
    at += 1;
    return join(tests);
  };
  return group('', (tests) => (message) => tests.every((test) => test(message)));
}
